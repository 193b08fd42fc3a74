/** A run that is held at the end of an iteration (`--hold`): nothing goes on meanwhile, and its results do not change. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { decodePolicy } from "@cobre/sddp";
import { CobreProcess, eventually } from "./cobre-process.js";
import { copyExample } from "./example-case.js";
import { wholeLines } from "./whole-lines.js";

interface Line {
  readonly rank: number | null;
  readonly type: string;
  readonly iteration?: number;
  readonly policy?: string;
  readonly record?: { readonly iteration: number };
}

describe("a run that is held", { timeout: 240_000 }, () => {
  let folder = "";
  let source = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "cobre-hold-"));
    source = copyExample("one-reservoir", join(folder, "case"), { iterations: 5, scenarios: 3 });
  });
  after(() => rmSync(folder, { recursive: true }));

  const start = (name: string, ...args: string[]) => {
    const events = join(folder, `${name}.jsonl`);
    const hold = join(folder, `${name}.hold`);
    writeFileSync(hold, "2");
    const out = join(folder, name);
    const run = CobreProcess.start([
      ...["run", source, "-o", out, "--events", events, "--hold", hold],
      ...args,
    ]);
    const lines = (): Line[] => wholeLines(events).map((line) => JSON.parse(line));
    const iterations = () =>
      lines().flatMap(({ type, record }) => (type === "iteration_done" ? [record?.iteration] : []));
    const held = async (iteration: number) => {
      const isHeld = (line: Line) => line.type === "held" && line.iteration === iteration;
      await eventually(`held at ${iteration}`, () => lines().some(isHeld));
      return lines().find(isHeld);
    };
    return { run, hold, out, lines, iterations, held };
  };

  it("waits on three ranks, takes a step, shows its cuts, and comes to the same bits", async () => {
    const { run, hold, out, lines, iterations, held } = start("held", "-n", "3");
    const { policy = "" } = (await held(2)) ?? {};
    // It waits for as long as another run needs to come to its end.
    const free = join(folder, "free");
    assert.equal((await CobreProcess.start(["run", source, "-o", free]).finished).code, 0);
    assert.deepEqual(iterations(), [1, 2]);
    assert.ok(!lines().some(({ type }) => type === "released"));
    assert.equal(decodePolicy(readFileSync(policy), policy).iteration, 2);
    writeFileSync(hold, "3");
    await held(3);
    assert.deepEqual(iterations(), [1, 2, 3]);
    rmSync(hold);
    const { code, stderr } = await run.finished;
    assert.equal(code, 0, stderr);
    assert.deepEqual(iterations(), [1, 2, 3, 4, 5]);
    const others = lines().filter(({ type }) => type === "rank_iteration");
    assert.deepEqual([...new Set(others.map(({ rank }) => rank))].sort(), [1, 2]);
    assert.equal(others.length, 10);
    const compared = await CobreProcess.start(["compare", out, free]).finished;
    assert.equal(compared.code, 0, compared.stdout);
  });

  it("can be stopped while it waits, and starts no other iteration", async () => {
    const { run, iterations, held } = start("stopped", "-n", "2");
    await held(2);
    run.kill("SIGTERM");
    assert.equal((await run.finished).code, 5);
    assert.deepEqual(iterations(), [1, 2]);
  });

  it("is refused where ranks would give up the one that waits", async () => {
    const { run } = start("refused", "-n", "2", "--comm-timeout", "9");
    const { code, stderr } = await run.finished;
    assert.equal(code, 2);
    assert.match(stderr, /--comm-timeout/);
  });
});

describe("events on standard output", { timeout: 120_000 }, () => {
  it("are whole lines and nothing else, and a reader that ends does not end the run", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cobre-events-"));
    try {
      const source = copyExample("one-reservoir", join(folder, "case"), {
        iterations: 20,
        scenarios: 2,
      });
      const all = await CobreProcess.start([
        ...["run", source, "-o", join(folder, "a"), "-n", "2", "--events", "-"],
      ]).finished;
      assert.equal(all.code, 0, all.stderr);
      const types = all.stdout
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as Line).type);
      assert.equal(types.filter((type) => type === "iteration_done").length, 20);
      assert.equal(types.at(-1), "job_done");
      const out = join(folder, "b");
      const script = `set -o pipefail; cobre run '${source}' -o '${out}' --events - | head -n 1`;
      const { code, stderr } = await CobreProcess.shell(script).finished;
      assert.equal(code, 0, stderr);
      assert.match(stderr, /nobody reads the events/);
      assert.ok(existsSync(join(out, "training/metadata.json")));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
