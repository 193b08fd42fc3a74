/** `npm run mutate` over a package of a few lines: it tells what the package's test leaves open, and which entries are no longer true. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { needs } from "@cobre/testing/needs";

const PROGRAM = fileURLToPath(new URL("../../../scripts/mutate.mjs", import.meta.url));

/** The test below knows nothing of `refund`, nor of 20 kg. Two changes of the line with `found >= 0` are equivalent. */
const CODE = `
export function charge(kilograms) {
  if (kilograms > 20) return kilograms * 3;
  return kilograms * 2;
}
export function refund(paid) {
  return paid - 5;
}
export function firstOver(limit, values) {
  let found = -1;
  for (const value of values) {
    if (found >= 0) continue;
    if (value > limit) found = value;
  }
  return found;
}
`;

const TEST = `
import assert from "node:assert/strict";
import { it } from "node:test";
import { charge, firstOver } from "@tiny/rule";
it("light", () => assert.equal(charge(10), 20));
it("heavy", () => assert.equal(charge(30), 90));
it("first", () => assert.equal(firstOver(3, [3, 2, 4, 5]), 4));
it("none", () => assert.equal(firstOver(3, []), -1));
`;

const FILES = {
  "package.json": JSON.stringify({ type: "module" }),
  "packages/rule/package.json": JSON.stringify({
    name: "@tiny/rule",
    type: "module",
    exports: "./dist/rule.js",
  }),
  "packages/rule/dist/rule.js": CODE,
  "packages/rule/dist-test/rule.test.js": TEST,
  // Only that they exist counts. What has no source any more is left alone, be it code or test.
  "packages/rule/src/rule.ts": "",
  "packages/rule/test/rule.test.ts": "",
  "packages/rule/dist/removed.js": "export const sum = (a, b) => a + b;",
  "packages/rule/dist-test/removed.test.js": 'throw new Error("not to be run")',
  "scripts/mutate/targets.mjs": `
    export const LEAST = 80;
    export const TARGETS = [
      { name: "rule", code: ["packages/rule/src"], tests: ["packages/rule/test"] },
    ];`,
};

const FILE = "packages/rule/src/rule.ts";
const EQUIVALENT = {
  file: FILE,
  within: "firstOver",
  before: "if (found >= 0) continue;",
  after: "if (found > 0) continue;",
  reason: "found is -1 or one of the values, which are above 1",
};
const ALSO = { ...EQUIVALENT, after: "if (found >= 1) continue;" };
const OPEN = ["kilograms >= 20", "paid + 5"];

describe("npm run mutate", () => {
  let root: string;

  before(() => {
    root = mkdtempSync(join(tmpdir(), "cobre-mutate-"));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    mkdirSync(join(root, "node_modules/@tiny"), { recursive: true });
    symlinkSync("../../packages/rule", join(root, "node_modules/@tiny/rule"));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  /** `undefined` if the parser cannot be had here. */
  function mutate(t: TestContext, equivalent: readonly object[]) {
    writeFileSync(join(root, "scripts/mutate/equivalent.json"), JSON.stringify(equivalent));
    const args = [PROGRAM, "--in", root, "--jobs", "1"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (!needs(t, !/could not be installed/.test(stderr), "acorn, from npm")) return undefined;
    return { status, stdout, stderr };
  }

  function survivors(): string[] {
    const list = JSON.parse(readFileSync(join(root, "out/mutate/survivors.json"), "utf8"));
    return list.map((one: { after: string }) => one.after);
  }

  it("tells the changes that no test notices, fails below the limit, and leaves the code alone", (t) => {
    const result = mutate(t, []);
    if (result === undefined) return;
    const { status, stdout } = result;
    const found = survivors();
    assert.equal(found.length, 4, stdout);
    for (const change of [...OPEN, "found > 0", "found >= 1"])
      assert.ok(
        found.some((one) => one.includes(change)),
        `${change} in ${found}`,
      );
    assert.match(stdout, /rule\.ts:7 \(refund\)[^(]*"return paid - 5;"[^(]*\(never executed\)/);
    assert.match(stdout, /rule: less than 80 % noticed/);
    assert.equal(status, 1);
    assert.equal(readFileSync(join(root, "packages/rule/dist/rule.js"), "utf8"), CODE);
  });

  it("leaves equivalent changes out of the share, and runs nothing again", (t) => {
    const result = mutate(t, [EQUIVALENT, ALSO]);
    if (result === undefined) return;
    const { status, stdout } = result;
    assert.equal(survivors().length, 2, stdout);
    assert.match(stdout, /\| rule .*\|\s+2 \|\s+2 \|/);
    assert.match(stdout, / 0 runs of tests/);
    assert.equal(status, 0, stdout);
  });

  it("tells entries that match nothing, and entries that a test notices", (t) => {
    const result = mutate(t, [
      EQUIVALENT,
      ALSO,
      { ...EQUIVALENT, before: "if (found >= 7) continue;" },
      { ...EQUIVALENT, before: "let found = -1;", after: "let found = 1;" },
    ]);
    if (result === undefined) return;
    const { status, stdout } = result;
    assert.match(stdout, /but no such code:\n.*found >= 7/);
    assert.match(stdout, /but noticed:\n.*\n.*let found = -1/);
    assert.equal(status, 1);
  });

  it("accepts no entry without a reason", (t) => {
    const result = mutate(t, [{ ...EQUIVALENT, reason: "" }]);
    if (result === undefined) return;
    assert.match(result.stderr, /no reason in/);
    assert.equal(result.status, 1);
  });
});
