/** A run that is killed while it writes leaves the previous results or none, never half a file. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inScope, runsQuick } from "@cobre/testing/scope";
import { CobreProcess, type Finished } from "./cobre-process.js";
import { copyExample } from "./example-case.js";
import { assertNothingHalf, filesOf } from "./results.js";

const PRELOAD = new URL("./kill-at-write.js", import.meta.url).href;
/** How many of the points are tried, evenly spread; Infinity is all of them. */
const TRIALS = inScope({ quick: [3], rest: [16] });

let folder = "";
/** What is there before, and what an undisturbed run would put in its place. */
let previous = "";
let undisturbed = "";
let source = "";
let points = 0;

async function cobre(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const process = CobreProcess.start(args, { env });
  const finished = await process.finished;
  assert.deepEqual(process.marked(), [], "processes are left behind");
  return finished;
}

function writeCase(name: string, seed: number): string {
  const size = { iterations: 3, scenarios: 2 };
  return copyExample("one-reservoir", join(folder, name), size, (config) => {
    config.training.tree_seed = seed;
    config.policy = { checkpointing: { enabled: true, interval_iterations: 2 } };
  });
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-killed-"));
  previous = join(folder, "previous");
  undisturbed = join(folder, "undisturbed");
  source = writeCase("case", 2);
  const first = await cobre(["run", writeCase("previous-case", 1), "-o", previous]);
  assert.equal(first.code, 0, first.stderr);
  const countFile = join(folder, "count");
  const env = { NODE_OPTIONS: `--import ${PRELOAD}`, COBRE_TEST_COUNT_FILE: countFile };
  cpSync(previous, undisturbed, { recursive: true });
  const second = await cobre(["run", source, "-o", undisturbed, "--overwrite"], env);
  assert.equal(second.code, 0, second.stderr);
  points = Number(readFileSync(countFile, "utf8"));
});
after(() => rmSync(folder, { recursive: true }));

const markers = (files: readonly string[]) => files.filter((name) => name.endsWith("_SUCCESS"));

describe("a run that is killed while it writes", { timeout: 300_000 }, () => {
  for (const trials of TRIALS) {
    it(`leaves the previous results or none, at ${trials} points where it is killed`, async () => {
      assert.ok(points > 50, `only ${points} points`);
      const outcomes = new Set<string>();
      const stride = Math.max(1, points / trials);
      for (let point = 1; point <= points; point += stride) {
        const at = String(Math.floor(point));
        const output = join(folder, `killed-${at}`);
        cpSync(previous, output, { recursive: true });
        const env = { NODE_OPTIONS: `--import ${PRELOAD}`, COBRE_TEST_KILL_AT: at };
        const { signal } = await cobre(["run", source, "-o", output, "--overwrite"], env);
        assert.equal(signal, "SIGKILL", `at ${at}`);
        await assertNothingHalf(output, undisturbed);
        const found = markers(filesOf(output));
        if (found.length === 2) {
          const { stdout } = await cobre(["compare", previous, output]);
          assert.equal(stdout, "the same bits\n", `at ${at} of ${points}`);
        }
        outcomes.add(found.join(" "));
        rmSync(output, { recursive: true });
      }
      assert.deepEqual(
        [...outcomes].sort(),
        ["", "simulation/_SUCCESS training/_SUCCESS", "training/_SUCCESS"],
        "the points are not spread over all phases",
      );
    });
  }
  if (!runsQuick) return;

  it("is followed by one that cleans up and ends in the same bits", async () => {
    const output = join(folder, "followed");
    const env = { NODE_OPTIONS: `--import ${PRELOAD}`, COBRE_TEST_KILL_AT: String(points - 3) };
    assert.equal((await cobre(["run", source, "-o", output], env)).signal, "SIGKILL");
    const { code, stderr } = await cobre(["run", source, "-o", output, "--resume"]);
    assert.equal(code, 0, stderr);
    assert.equal((await cobre(["compare", undisturbed, output])).stdout, "the same bits\n");
    assert.deepEqual(filesOf(output), filesOf(undisturbed));
  });
});
