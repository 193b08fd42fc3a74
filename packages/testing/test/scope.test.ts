/** Which part of a table runs: read once from the environment, so each scope is a process of its own. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const PROGRAM = `
  import { inScope, linesInScope, runsQuick, runsRest } from "@cobre/testing/scope";
  const lines = linesInScope([{ name: "a" }, { name: "b", rest: true }, { name: "c", rest: false }]);
  const values = inScope({ few: [1], quick: [1, 3], rest: [2] });
  console.log(JSON.stringify({ runsQuick, runsRest, values, lines: lines.map(({ name }) => name).join("") }));`;

function play(scope: string | undefined) {
  return spawnSync(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { ...process.env, COBRE_TEST_SCOPE: scope },
    encoding: "utf8",
  });
}

describe("the scope of a run", () => {
  for (const [scope, expected] of [
    ["few", { runsQuick: true, runsRest: false, values: [1], lines: "ac" }],
    ["quick", { runsQuick: true, runsRest: false, values: [1, 3], lines: "ac" }],
    ["rest", { runsQuick: false, runsRest: true, values: [2], lines: "b" }],
    ["all", { runsQuick: true, runsRest: true, values: [1, 3, 2], lines: "abc" }],
    [undefined, { runsQuick: true, runsRest: false, values: [1, 3], lines: "ac" }],
  ] as const) {
    it(`${scope ?? "that nobody gives"} chooses its part of a table`, () => {
      assert.deepEqual(JSON.parse(play(scope).stdout), expected);
    });
  }

  it("that does not exist is refused by name, and nothing runs", () => {
    const { status, stdout, stderr } = play("fast");
    assert.notEqual(status, 0);
    assert.equal(stdout, "");
    assert.match(stderr, /COBRE_TEST_SCOPE is fast; it can be few, quick, rest, all/);
  });
});
