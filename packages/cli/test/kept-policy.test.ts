/** A failure after training costs results, but never the policy. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inScope, runsQuick } from "@cobre/testing/scope";
import { CobreProcess, type Finished } from "./cobre-process.js";
import { copyExample } from "./example-case.js";
import { filesOf } from "./results.js";

const PRELOAD = new URL("./fail-at-write.js", import.meta.url).href;

let folder = "";
let source = "";
/** The results of an undisturbed run. */
let whole = "";

function cobre(args: readonly string[], failingFile?: string): Promise<Finished> {
  const env: Record<string, string> = {};
  if (failingFile !== undefined) {
    env.NODE_OPTIONS = `--import ${PRELOAD}`;
    env.COBRE_TEST_FAIL_FILE = failingFile;
  }
  return CobreProcess.start(args, { env }).finished;
}

async function assertSameBits(directory: string): Promise<void> {
  const { stdout } = await cobre(["compare", whole, directory]);
  assert.equal(stdout, "the same bits\n");
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-kept-"));
  source = copyExample("one-reservoir", join(folder, "case"), { iterations: 3, scenarios: 2 });
  whole = join(folder, "whole");
  assert.equal((await cobre(["run", source, "-o", whole])).code, 0);
});
after(() => rmSync(folder, { recursive: true }));

describe("a failure after training", { timeout: 300_000 }, () => {
  for (const ranks of inScope<string[]>({ quick: [[]], rest: [["-n", "2"]] })) {
    it(`leaves the policy, from which the run is resumed (${ranks.length === 0 ? "one process" : "two ranks"})`, async () => {
      const output = join(folder, `new-${ranks.length}`);
      const failed = await cobre(["run", source, "-o", output, ...ranks], "convergence.parquet");
      assert.equal(failed.code, 4, failed.stderr);
      assert.match(failed.stderr, /convergence\.parquet cannot be written: EIO/);
      assert.match(failed.stderr + failed.stdout, /policy\.bin; continue with --resume/);
      assert.deepEqual(filesOf(output), [".cobre-run", "policy/policy.bin"]);
      const resumed = await cobre(["run", source, "-o", output, "--resume", ...ranks]);
      assert.equal(resumed.code, 0, resumed.stderr);
      await assertSameBits(output);
    });
  }

  if (!runsQuick) return;

  it("leaves the policy beside the results that were there before", async () => {
    const output = join(folder, "old");
    cpSync(whole, output, { recursive: true });
    const before = filesOf(output);
    const policy = readFileSync(join(output, "policy/policy.bin"));
    const other = copyExample("one-reservoir", join(folder, "other"), {
      iterations: 2,
      scenarios: 2,
    });
    const failed = await cobre(["run", other, "-o", output, "--overwrite"], "convergence.parquet");
    assert.equal(failed.code, 4, failed.stderr);
    assert.match(failed.stderr + failed.stdout, /kept\.bin; rename it to policy\.bin and continue/);
    assert.deepEqual(filesOf(output), [...before, "policy/kept.bin"].sort());
    assert.deepEqual(readFileSync(join(output, "policy/policy.bin")), policy);
    renameSync(join(output, "policy/kept.bin"), join(output, "policy/policy.bin"));
    const resumed = await cobre(["run", other, "-o", output, "--resume"]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.ok(!existsSync(join(output, "policy/kept.bin")));
  });
});
