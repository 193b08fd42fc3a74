/** A run that is replayed from its files shows what it showed while it ran; its cuts are those of its policy. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createCommunicator } from "@cobre/comm";
import { COST_SCALE, loadCase, type Policy } from "@cobre/sddp";
import { changedSettings, openRun, type Run, runStudy } from "@cobre/study";
import { eventsOfRun, RunState, stageCuts } from "#internal";

const CASE = fileURLToPath(new URL("../../../examples/cases/one-reservoir", import.meta.url));
const live = new RunState();
let folder = "";
let run: Run;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-replay-"));
  using comm = await createCommunicator({ kind: "local" });
  const settings = await changedSettings(CASE, { iterations: 3, scenarios: 4 });
  live.take({ rank: 0, type: "rank_started", pid: 0, backend: comm.backend });
  await runStudy(comm, await loadCase(CASE, settings), {
    output: folder,
    onEvent: (event) => live.take({ rank: 0, ...event }),
  });
  live.end(undefined);
  run = await openRun(folder);
});
after(() => rmSync(folder, { recursive: true }));

describe("a replay", () => {
  it("comes to the same state as the run itself", async () => {
    const replayed = new RunState();
    for (const event of await eventsOfRun(run)) replayed.take(event);
    replayed.end(undefined);
    const facts = (state: RunState) => ({
      phase: state.phase,
      ranks: state.ranks,
      backend: state.backend,
      stages: state.stages,
      limit: state.iterationLimit,
      startingCuts: state.startingCuts,
      costs: state.costs,
      iterations: state.iterations.map(({ record, stages, retried }) => ({
        ...{ ...record, forwardMs: 0, backwardMs: 0, totalMs: 0 },
        retried,
        stages: stages.map((work) => ({ ...work, ms: 0 })),
      })),
    });
    assert.equal(replayed.phase, "done");
    assert.equal(replayed.iterations.length, 3);
    assert.equal(replayed.costs.length, 4);
    assert.deepEqual(facts(replayed), facts(live));
    for (const { ranks } of replayed.iterations) assert.ok((ranks.get(0)?.solvingMs ?? 0) > 0);
  });
});

describe("the cuts of a stage", () => {
  let policy: Policy;
  before(async () => {
    policy = await run.policy();
  });

  it("are those of the policy, in $, and the highest at the visited states come first", () => {
    const names = {
      hydros: new Map([[policy.origin.hydroIds[0] ?? -1, "lake"]]),
      stages: ["first"],
    };
    const { cuts, passes, label, iteration } = stageCuts(policy, 0, names);
    const pool = policy.pools[0];
    assert.ok(pool !== undefined);
    assert.deepEqual([label, iteration, passes], ["first", 3, policy.points.passes]);
    assert.equal(cuts.length, pool.count);
    assert.equal(
      cuts.reduce((sum, { highestAt = 0 }) => sum + highestAt, 0),
      passes,
      "one cut is the highest at each state",
    );
    const order = cuts.map(({ highestAt = 0 }) => highestAt);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => b - a),
    );
    const [first] = cuts;
    const slot = Array.from({ length: pool.count }, (_, i) => i).find(
      (i) => pool.iteration(i) === first?.iteration && pool.forwardPass(i) === first?.pass,
    );
    assert.ok(slot !== undefined);
    assert.equal(first?.intercept, pool.intercept(slot) * COST_SCALE);
    assert.deepEqual(first?.slopes, [
      { name: "lake", unit: "$/hm³", value: pool.coefficient(slot, 0) * COST_SCALE },
    ]);
    // By hand: no other cut is higher at the state of a pass at which the first one is the highest.
    const valueAt = (index: number, storage: number) =>
      pool.intercept(index) + pool.coefficient(index, 0) * storage;
    const isHighest = (pass: number) => {
      const storage = policy.points.values[policy.points.stateOffset(pass, 1)] as number;
      return Array.from({ length: pool.count }, (_, i) => valueAt(i, storage)).every(
        (value) => value <= valueAt(slot, storage),
      );
    };
    assert.ok(Array.from({ length: passes }, (_, pass) => pass).some(isHighest));
  });

  it("tell which reservoirs are at their limits, and nothing where that is not known", () => {
    const storage = policy.points.values[policy.points.stateOffset(0, 1)] as number;
    const limits = () => ({ min: 0, max: storage });
    const { atLimits } = stageCuts(policy, 0, { hydros: new Map(), stages: [], limits });
    assert.match(atLimits[0] ?? "", /^hydro \d+ .*full in \d of \d/);
    const none = stageCuts(policy, 0, { hydros: new Map(), stages: [] });
    assert.deepEqual(none.atLimits, []);
    const last = stageCuts(policy, policy.pools.length - 1, { hydros: new Map(), stages: [] });
    assert.deepEqual([last.passes, last.cuts], [0, []]);
  });
});
