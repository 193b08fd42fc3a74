/**
 * The results of the examples are the same as when golden.json was written, bit by bit, on every machine and version of Node.js. A change
 * that is meant renews the file, and its commit says why the results changed.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EXAMPLES, RENEW, readGolden } from "./golden-file.js";
import { type Results, resultsOf } from "./results.js";

const golden = readGolden();

/** What differs, by the path of its names. */
function differences(was: Results | string, is: Results | string, path: string): string[] {
  if (typeof was === "string" || typeof is === "string") {
    return was === is ? [] : [`${path}: was ${describeLeaf(was)}, is ${describeLeaf(is)}`];
  }
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].flatMap((name) =>
    differences(was[name] ?? "missing", is[name] ?? "missing", `${path}/${name}`),
  );
}

const describeLeaf = (leaf: Results | string) =>
  typeof leaf === "string" ? leaf : `{${Object.keys(leaf).join(", ")}}`;

describe("golden results", () => {
  it("every example has some", () => {
    assert.deepEqual(Object.keys(golden), EXAMPLES);
  });

  for (const name of EXAMPLES) {
    it(name, async () => {
      const changes = differences(golden[name] ?? "missing", await resultsOf(name), name);
      assert.deepEqual(
        changes,
        [],
        `the results changed:\n${changes.join("\n")}\nIf that is meant: ${RENEW}\nand say in the commit why they changed.`,
      );
    });
  }
});
