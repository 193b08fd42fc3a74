/** Programs that take in the cuts that they violate. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import {
  CutPool,
  decodePolicy,
  encodePolicy,
  hashPolicy,
  loadCase,
  simulate,
  train,
} from "@cobre/sddp";
import { type Basis, BasisState, type LinearProgram, loadSolver } from "@cobre/solver";
import { CutRows, type DemandRules, RowsOnDemand } from "#internal";
import { directoryOf } from "./cases.js";

const RULES: DemandRules = {
  startIteration: 2,
  seedWindow: 1,
  maxAddedPerRound: 2,
  violationTolerance: 1e-10,
};

const solver = await loadSolver("highs");
const SIDE = 100;

/** Minimise θ for a state that a row holds at `state`: the highest cut there. */
function program(state: number): LinearProgram {
  return solver.create({
    cost: Float64Array.of(1, 0),
    columnLower: Float64Array.of(-1e6, 0),
    columnUpper: Float64Array.of(Infinity, SIDE),
    rows: {
      lower: Float64Array.of(state),
      upper: Float64Array.of(state),
      starts: Int32Array.of(0, 1),
      indices: Int32Array.of(1),
      values: Float64Array.of(1),
    },
  });
}

const COLUMNS = { theta: 0, outgoing: Int32Array.of(1) };
const { lower, basic } = BasisState;
/** θ and the state are basic where a cut is tight; here θ is at its bound. */
const START: Basis = { columns: Uint8Array.of(lower, basic), rows: Uint8Array.of(lower) };

/** Tangents of (x - 50)², one an iteration, at 0, 1, … 100. */
function tangents(): CutPool {
  const pool = new CutPool(1);
  for (let at = 0; at <= SIDE; at++) {
    const slope = 2 * (at - 50);
    pool.add(1 + at, 0, (at - 50) ** 2 - slope * at, Float64Array.of(slope));
  }
  return pool;
}

/** A program whose rows follow the rules. */
class Demanding {
  readonly lp: LinearProgram;
  readonly rows: CutRows;
  readonly demand: RowsOnDemand;
  rounds = 0;

  constructor(pool: CutPool, rules: DemandRules = RULES, state = 20) {
    this.lp = program(state);
    this.rows = new CutRows(this.lp, COLUMNS);
    this.demand = new RowsOnDemand(this.rows, COLUMNS, rules);
    this.demand.follow(pool);
  }

  start(basis: Basis): void {
    this.demand.begin(basis);
    this.lp.startFrom(this.rows.forProgram(basis));
  }

  solve(): number {
    this.lp.solve();
    this.rounds = 0;
    while (this.demand.addViolated(this.lp.solution().primal, this.rounds)) {
      this.rounds++;
      this.lp.solve();
    }
    return this.lp.objective;
  }
}

describe("a program that takes cuts in", () => {
  it("starts with the newest cuts and those that are tight in its basis", () => {
    const pool = tangents();
    const it = new Demanding(pool, { ...RULES, seedWindow: 2 });
    it.start(START);
    assert.deepEqual(it.rows.names(), ["cut_99", "cut_100"]);
    const rows = new Uint8Array(1 + pool.count).fill(basic);
    rows[0] = lower;
    rows[1 + 7] = lower;
    it.start({ columns: Uint8Array.of(basic, basic), rows });
    assert.deepEqual(it.rows.names(), ["cut_7", "cut_99", "cut_100"]);
    it.lp.close();
  });

  it("starts with five iterations without a window, with fewer if they have more than twenty cuts, but with one at least", () => {
    const iterationsAtStart = (passes: number, iterations: number) => {
      const pool = new CutPool(1);
      for (let cut = 0; cut < passes * iterations; cut++) {
        pool.add(1 + Math.floor(cut / passes), cut % passes, cut, Float64Array.of(0));
      }
      const it = new Demanding(pool, { ...RULES, seedWindow: undefined });
      it.start(START);
      const first = pool.count - it.rows.active;
      const shown = Array.from({ length: it.rows.active }, (_, i) => `cut_${first + i}`);
      assert.deepEqual(it.rows.names(), shown);
      it.lp.close();
      return it.rows.active / passes;
    };
    assert.deepEqual(
      [1, 4, 5, 6, 7, 10, 11, 20, 21, 50].map((passes) => iterationsAtStart(passes, 8)),
      [5, 5, 4, 3, 2, 2, 1, 1, 1, 1],
    );
    assert.equal(iterationsAtStart(4, 3), 3);
    assert.equal(iterationsAtStart(50, 1), 1);
  });

  it("has the optimum of the program with all cuts, with few of them", () => {
    const pool = tangents();
    for (const state of [0, 20, 49.5, 77.25, 100]) {
      const it = new Demanding(pool, RULES, state);
      it.start(START);
      const highest = Math.max(
        ...Array.from({ length: pool.count }, (_, slot) => {
          return pool.intercept(slot) + pool.coefficient(slot, 0) * state;
        }),
      );
      assert.ok(Math.abs(it.solve() - highest) < 1e-6, `${it.lp.objective} at ${state}`);
      assert.ok(it.rows.active <= 5, `${it.rows.active} rows at ${state}`);
      it.lp.close();
    }
  });

  it("takes in the most violated ones, of equal ones the older", () => {
    const pool = new CutPool(1);
    for (const height of [3, 9, 5, 9, 1]) pool.add(pool.count + 1, 0, height, Float64Array.of(0));
    const it = new Demanding(pool, { ...RULES, maxAddedPerRound: 1 });
    it.start(START);
    assert.equal(it.solve(), 9);
    assert.deepEqual([it.rows.names(), it.rounds], [["cut_4", "cut_1"], 1]);
    it.lp.close();
  });

  it("carries its rows to the next solve, and forgets them when it starts again", () => {
    const pool = tangents();
    const it = new Demanding(pool);
    it.start(START);
    it.solve();
    const rows = it.rows.active;
    it.solve();
    assert.deepEqual([it.rounds, it.rows.active], [0, rows]);
    const stored = it.rows.stored(it.lp.basis());
    assert.equal(stored.rows.length, 1 + pool.count);
    it.start(START);
    assert.deepEqual(it.rows.names(), ["cut_100"]);
    it.start(stored);
    assert.ok(it.rows.isActive(20), "tight where it ended");
    it.solve();
    assert.equal(it.rounds, 0);
    it.lp.close();
  });

  it("has the same bits whatever it solved before", () => {
    const pool = tangents();
    const bits = (it: Demanding) => {
      it.start(START);
      const objective = it.solve();
      return [objective, it.rows.names(), it.lp.data(), it.rows.stored(it.lp.basis())];
    };
    const fresh = new Demanding(pool);
    const used = new Demanding(pool);
    for (const state of [90, 3, 50]) {
      used.lp.setRowBounds(0, Float64Array.of(state), Float64Array.of(state));
      used.start(START);
      used.solve();
    }
    used.lp.setRowBounds(0, Float64Array.of(20), Float64Array.of(20));
    assert.deepEqual(bits(used), bits(fresh));
    for (const it of [used, fresh]) it.lp.close();
  });

  it("has all cuts before the start iteration", () => {
    const pool = tangents();
    const it = new Demanding(pool, { ...RULES, startIteration: 103 });
    it.start(START);
    assert.equal(it.rows.active, pool.count);
    it.lp.close();
    const late = new Demanding(pool, { ...RULES, startIteration: 102 });
    late.start(START);
    assert.equal(late.rows.active, 1);
    late.lp.close();
  });

  it("leaves out old cuts if it is told to, and those that a budget has taken out, but none from before training", () => {
    const pool = new CutPool(1);
    for (const [iteration, height] of [
      [0, 2],
      [1, 9],
      [2, 5],
      [3, 4],
      [4, 1],
    ] as const) {
      pool.add(iteration, 0, height, Float64Array.of(0));
    }
    const value = (rules: DemandRules) => {
      const it = new Demanding(pool, rules);
      it.start(START);
      const found = it.solve();
      it.lp.close();
      return found;
    };
    assert.equal(value(RULES), 9);
    assert.equal(value({ ...RULES, candidateRecency: 4 }), 9);
    assert.equal(value({ ...RULES, candidateRecency: 3 }), 5);
    assert.equal(value({ ...RULES, candidateRecency: 1 }), 2);
    pool.select(Uint8Array.of(1, 0, 0, 1, 1));
    assert.equal(value(RULES), 4);
  });

  it("takes in everything at last if rounds do not end", () => {
    const pool = new CutPool(1);
    for (let i = 0; i < 200; i++) pool.add(1, 0, i % 100, Float64Array.of(0));
    for (let i = 0; i < 100; i++) pool.add(2, 0, 1000 + i, Float64Array.of(-0.1 * i * i));
    const it = new Demanding(pool, { ...RULES, seedWindow: 0, maxAddedPerRound: 1 });
    it.start(START);
    it.lp.solve();
    assert.ok(it.demand.addViolated(it.lp.solution().primal, 50));
    assert.equal(it.rows.active, pool.count);
    it.lp.close();
  });
});

/** The example with a selection, as it is written in the file. */
function withSelection(cutSelection: object | null, iterations: number): Promise<Case> {
  return loadCase(directoryOf("one-reservoir"), {
    training: {
      cut_selection: cutSelection,
      stopping_rules: [{ type: "iteration_limit", limit: iterations }],
    },
  });
}

const METHOD = { method: "dynamic", seed_window: 2, max_added_per_round: 3 };
const DYNAMIC = { selection: METHOD };
const ALL = {};

describe("a training with cuts on demand", () => {
  it("has the bound of one with all cuts in its programs, and keeps all in the policy", async () => {
    using comm = new LocalCommunicator();
    const whole = await train(comm, await withSelection(ALL, 25));
    const { policy, lowerBound } = await train(comm, await withSelection(DYNAMIC, 25));
    assert.ok(Math.abs(lowerBound / whole.lowerBound - 1) < 1e-3, String(lowerBound));
    assert.deepEqual(
      policy.pools.map(({ count, active }) => [count, active]),
      whole.policy.pools.map(({ count }) => [count, count]),
    );
    policy.history.slice(1).forEach(({ lowerBound: bound }, i) => {
      const before = policy.history[i]?.lowerBound ?? 0;
      assert.ok(bound >= before * (1 - 1e-9), `${bound} after ${before}`);
    });
    assert.equal(policy.archives, undefined);
  });

  it("is resumed with the same bits, and simulated from its file", async () => {
    using comm = new LocalCommunicator();
    const source = await withSelection(DYNAMIC, 10);
    const whole = await train(comm, source);
    const part = await train(comm, await withSelection(DYNAMIC, 7));
    const read = decodePolicy(encodePolicy(part.policy), "policy");
    const resumed = await train(comm, source, { resume: read });
    assert.deepEqual(hashPolicy(resumed.policy), hashPolicy(whole.policy));
    const stored = decodePolicy(encodePolicy(whole.policy), "policy");
    const here = await simulate(comm, source, whole.policy, { scenarios: 5 });
    const there = await simulate(comm, source, stored, { scenarios: 5 });
    assert.equal(there.hash, here.hash);
    const all = await simulate(comm, await withSelection(ALL, 10), stored, {
      scenarios: 5,
    });
    all.costs.forEach((cost, i) => {
      assert.ok(Math.abs(cost / (here.costs[i] ?? 0) - 1) < 1e-6, "with all cuts as rows");
    });
  });

  it("is not resumed with other settings", async () => {
    using comm = new LocalCommunicator();
    const { policy } = await train(comm, await withSelection(DYNAMIC, 2));
    const other = train(
      comm,
      await withSelection({ selection: { ...METHOD, seed_window: 3 } }, 3),
      {
        resume: policy,
      },
    );
    await assert.rejects(other, /trained on other data/);
  });

  it("may have a budget as well", async () => {
    using comm = new LocalCommunicator();
    const source = await withSelection({ ...DYNAMIC, max_active_per_stage: 8 }, 12);
    const { policy } = await train(comm, source);
    const [first, second] = policy.pools;
    assert.equal(first?.active, first?.count);
    assert.ok((second?.active ?? 0) < (second?.count ?? 0));
  });
});
