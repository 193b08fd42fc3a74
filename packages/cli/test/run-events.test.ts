import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { COBRE, CobreProcess, eventually } from "./cobre-process.js";

const CASE = fileURLToPath(new URL("../../../examples/cases/one-reservoir", import.meta.url));

interface Line {
  readonly rank: number | null;
  readonly type: string;
  readonly record?: { readonly iteration: number; readonly lowerBound: number };
  readonly error?: Readonly<Record<string, unknown>>;
  readonly code?: number;
  readonly ranks?: readonly { readonly rank: number; readonly code: number | null }[];
}

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-events-"));
});
after(() => rmSync(folder, { recursive: true }));

function settings(name: string, content: object): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function iterations(limit: number): object {
  return {
    training: { stopping_rules: [{ type: "iteration_limit", limit }] },
    simulation: { num_scenarios: 4 },
  };
}

function linesOf(file: string): Line[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("cobre run --events", { timeout: 300_000 }, () => {
  it("tells what each rank does, in lines that do not mix", async () => {
    const [events, output] = [join(folder, "events"), join(folder, "out")];
    const config = settings("three", iterations(3));
    const args = ["run", CASE, "-n", "2", "-o", output, "--config", config, "--events", events];
    const { code, stderr } = await CobreProcess.start(args).finished;
    assert.equal(code, 0, stderr);
    const lines = linesOf(events);
    const ranksOf = (type: string) =>
      lines.flatMap((line) => (line.type === type ? [line.rank] : [])).sort();
    assert.deepEqual(ranksOf("rank_started"), [0, 1]);
    assert.deepEqual(ranksOf("rank_done"), [0, 1]);
    assert.deepEqual(ranksOf("iteration_done"), [0, 0, 0]);
    assert.deepEqual(ranksOf("simulation_result"), [0]);
    const [job] = lines.slice(-1);
    assert.deepEqual([job?.type, job?.rank, job?.code], ["job_done", null, 0]);
    const bounds = lines.flatMap(({ record }) => record?.lowerBound ?? []);
    const metadata = JSON.parse(readFileSync(join(output, "training/metadata.json"), "utf8"));
    assert.equal(bounds.at(-1), metadata.convergence.lower_bound);
  });

  it("tells an error with its kind and fields, once", async () => {
    const events = join(folder, "refused");
    writeFileSync(join(folder, "something"), "");
    const args = ["run", CASE, "-n", "2", "-o", folder, "--events", events];
    const { code } = await CobreProcess.start(args).finished;
    assert.equal(code, 4);
    const [line, ...others] = linesOf(events);
    assert.deepEqual(others, []);
    assert.equal(line?.code, 4);
    assert.equal(line?.error?.kind, "OutputExists");
    assert.equal(line?.error?.path, folder);
  });

  it("tells every error of settings that cannot be", async () => {
    const events = join(folder, "invalid");
    const config = settings("bad", {
      training: { forward_passes: 0 },
      simulation: { scenario: 1 },
    });
    const args = ["run", CASE, "-o", join(folder, "no"), "--config", config, "--events", events];
    const { code } = await CobreProcess.start(args).finished;
    assert.equal(code, 3);
    const [line] = linesOf(events);
    assert.equal(line?.error?.name, "ValidationError");
    const issues = line?.error?.issues as { file: string; field: string }[];
    assert.deepEqual(
      issues.map(({ file }) => file),
      ["config.json", "config.json"],
    );
    assert.ok(!existsSync(join(folder, "no")));
  });
});

describe("cobre run --stop-at-eof", { timeout: 300_000 }, () => {
  for (const ranks of [[], ["-n", "2"]]) {
    it(`ends with whoever started it: ${ranks.join(" ") || "one process"}`, async () => {
      const name = `eof${ranks.length}`;
      const [events, output] = [join(folder, name), join(folder, `${name}-out`)];
      const config = settings(name, iterations(100_000));
      const args = ["run", CASE, ...ranks, "-o", output, "--config", config, "--events", events];
      const child = spawn(process.execPath, [COBRE, ...args, "--stop-at-eof"], {
        stdio: ["pipe", "ignore", "inherit"],
      });
      await eventually(
        "an iteration",
        () => existsSync(events) && readFileSync(events, "utf8").includes("iteration_done"),
      );
      child.stdin.end();
      const [code] = await once(child, "exit");
      assert.equal(code, 5);
      assert.ok(existsSync(join(output, "policy/policy.bin")));
    });
  }
});
