/** What becomes of a test that fails once: the class that collects the outcomes of a run of all tests, on its own. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

/** Adds files with two tests each, of which one fails; says for each file whether it fails again. */
const PROGRAM = `
  import { TestResults } from "./scripts/test-results.mjs";
  const results = new TestResults();
  for (const [file, failsAgain] of JSON.parse(process.argv[1])) {
    const found = { passed: 1, failed: [file + ": story"], skipped: [] };
    results.add(found);
    const again = failsAgain ? found : { passed: 2, failed: [], skipped: [] };
    results.mayRunAgain(file, found, async () => again);
  }
  await results.runAgain();
  process.exitCode = results.tell();`;

function play(files: readonly (readonly [string, boolean])[]) {
  return spawnSync(
    process.execPath,
    ["--input-type=module", "-e", PROGRAM, JSON.stringify(files)],
    { cwd: fileURLToPath(new URL("../../..", import.meta.url)), encoding: "utf8" },
  );
}

describe("tests that failed", () => {
  it("run again; those that pass then are told, and fail nothing", () => {
    const { status, stdout } = play([["a", false]]);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /Unsteady, failed and then passed; mend them:\n- a: story/);
    assert.match(stdout, /2 tests: 2 passed, 0 failed, 0 not run \(1 only when run again\)/);
  });

  it("have failed if they fail again", () => {
    const { status, stdout } = play([
      ["a", false],
      ["b", true],
    ]);
    assert.equal(status, 1, stdout);
    assert.match(stdout, /Failed:\n- b: story/);
    assert.match(stdout, /4 tests: 3 passed, 1 failed/);
  });

  it("do not run again if there are many", () => {
    const { status, stdout } = play([
      ["a", false],
      ["b", false],
      ["c", false],
    ]);
    assert.equal(status, 1, stdout);
    assert.doesNotMatch(stdout, /Again/);
    assert.match(stdout, /6 tests: 3 passed, 3 failed/);
  });
});
