import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { decodePolicy } from "@cobre/sddp";
import { CobreProcess, type Finished } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-policy-path-"));
});
after(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);

function writeCase(name: string, iterations: number, policy?: object, trains = true): string {
  return copyExample("sddp-tutorial", at(name), { iterations, scenarios: 2 }, (config) => {
    if (policy !== undefined) config.policy = policy;
    if (!trains) Object.assign(config.training, { enabled: false });
  });
}

async function cobre(...args: string[]): Promise<Finished> {
  const process = CobreProcess.start(args);
  const finished = await process.finished;
  assert.deepEqual(process.marked(), [], "processes are left behind");
  return finished;
}

function iterationOf(output: string): number {
  const file = join(output, "policy/policy.bin");
  return decodePolicy(readFileSync(file), file).iteration;
}

describe("the policy that a case names", { timeout: 300_000 }, () => {
  it("is where a run goes on, and what is simulated without training", async () => {
    const resuming = writeCase("resuming", 4, { mode: "resume", path: "../first-out/policy" });
    const missing = await cobre("run", resuming, "-o", at("resumed"));
    assert.equal(missing.code, 4);
    assert.match(missing.stderr, /first-out\/policy does not exist/);
    assert.ok(!existsSync(at("resumed")));
    assert.equal((await cobre("run", writeCase("first", 2), "-o", at("first-out"))).code, 0);
    const { code, stdout, stderr } = await cobre("run", resuming, "-o", at("resumed"));
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout, /^ +[12] /m, "the first iterations are not made again");
    assert.equal((await cobre("run", writeCase("whole", 4), "-o", at("whole-out"))).code, 0);
    const compared = await cobre("compare", at("whole-out"), at("resumed"));
    assert.equal(compared.stdout, "the same bits\n");
    assert.equal(iterationOf(at("first-out")), 2, "the named policy stays as it is");
    const again = await cobre("run", resuming, "-o", at("resumed"));
    assert.match(again.stderr, /is not empty; /, "the directory holds another run");
    const only = writeCase("only", 4, { path: "../whole-out/policy" }, false);
    const simulated = await cobre("run", only, "-o", at("simulated"));
    assert.equal(simulated.code, 0, simulated.stderr);
    const hashes = [at("whole-out"), at("simulated")].map((output) => {
      const file = join(output, "simulation/metadata.json");
      return /"[^"]*hash[^"]*": "[0-9a-f]{64}"/.exec(readFileSync(file, "utf8"))?.[0];
    });
    assert.ok(hashes[0] !== undefined);
    assert.equal(hashes[1], hashes[0]);
  });
});
