/**
 * A file gets its name when its bytes are on the disk, not before: a machine that loses power must not leave results that are empty under
 * their right names. The calls of a real run are traced.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inScope } from "@cobre/testing/scope";
import { COBRE, CobreProcess } from "./cobre-process.js";
import { copyExample } from "./example-case.js";
import { canTrace, type FileHistory, readTrace, traced } from "./file-trace.js";
import { filesOf } from "./results.js";

/** The options of runs that follow each other in one directory. */
const RUNS = inScope<readonly string[]>({
  quick: [["-b local", "-b local --overwrite"], ["-b shm -n 2"]],
  rest: [["-b shm -n 2", "-b shm -n 3 --overwrite"], ["-b tcp -n 2"]],
});

/** Files that tell about a run that goes on; no result. */
const NOT_RESULTS = new Set([".cobre-run"]);

let folder = "";
let source = "";

before(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cobre-durable-")));
  source = copyExample(
    "one-reservoir",
    join(folder, "case"),
    { iterations: 3, scenarios: 3 },
    (config) => {
      config.policy = { checkpointing: { enabled: true, interval_iterations: 2 } };
      config.exports = { states: true, stochastic: true };
    },
  );
});
after(() => rmSync(folder, { recursive: true }));

/** Runs the case with the options, and reads what it did to the files of its output. */
async function trace(output: string, options: string): Promise<FileHistory> {
  const file = join(folder, "trace");
  const command = [process.execPath, COBRE, "run", source, "-o", output, ...options.split(" ")];
  const run = new CobreProcess([...traced(file), ...command], {});
  const { code, stderr } = await run.finished;
  assert.equal(code, 0, stderr);
  assert.deepEqual(run.marked(), [], "processes are left behind");
  return readTrace(readFileSync(file, "latin1"), output);
}

describe("no file is renamed before it is on the disk", { timeout: 300_000 }, () => {
  for (const runs of RUNS) {
    it(`cobre run ${runs.join(", cobre run ")}`, async (t) => {
      if (!canTrace(t)) return;
      const output = mkdtempSync(join(folder, "output-"));
      for (const options of runs) {
        const { renamings, changed, unsynced } = await trace(output, options);
        const early = renamings.filter(
          ({ to, unsynced, unsyncedFolders }) =>
            // What is about to be removed need not be on the disk.
            unsynced.length > 0 || (unsyncedFolders.length > 0 && !to.includes("/old-")),
        );
        assert.deepEqual(early, [], "renamed before the disk had it");

        const results = filesOf(output).filter((name) => !NOT_RESULTS.has(name));
        const inOutput = (paths: readonly string[]) =>
          new Set(paths.map((path) => path.slice(output.length + 1)));
        const [seen, unsure] = [inOutput(changed), inOutput(unsynced)];
        assert.deepEqual(
          results.filter((name) => !seen.has(name)),
          [],
          "the trace does not tell who wrote it",
        );
        assert.deepEqual(
          results.filter((name) => unsure.has(name)),
          [],
          "never synced",
        );

        const names = renamings.map(({ to }) => to.slice(output.length + 1));
        for (const folder of ["training", "simulation", "stochastic", "policy/states"]) {
          assert.ok(names.includes(folder), `${folder} is not among the renamed: ${names}`);
        }
        const policies = names.filter((name) => name === "policy/policy.bin");
        assert.ok(policies.length >= 2, "no checkpoint, or no policy at the end");
      }
    });
  }
});
