/** Cuts that leave a program and come back. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CutPool } from "@cobre/sddp";
import { BasisState, type LinearProgram, loadSolver, type RowData } from "@cobre/solver";
import { CutRows } from "#internal";

/** Minimise θ for a state that a row holds at `state`: the highest cut there. */
async function program(state: number) {
  const solver = await loadSolver("highs");
  return solver.create({
    cost: Float64Array.of(1, 0),
    columnLower: Float64Array.of(-1000, 0),
    columnUpper: Float64Array.of(Infinity, 100),
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

/** θ ≥ 5, θ ≥ x, θ ≥ 3 x - 10 */
function pool(): CutPool {
  const cuts = new CutPool(1);
  cuts.add(1, 0, 5, Float64Array.of(0));
  cuts.add(1, 1, 0, Float64Array.of(1));
  cuts.add(2, 0, -10, Float64Array.of(3));
  return cuts;
}

/** Makes the rows those of these slots and of cuts that are added later. */
function showOnly(cuts: CutRows, pool: CutPool, ...slots: number[]): void {
  pool.select(Uint8Array.from({ length: pool.count }, (_, slot) => (slots.includes(slot) ? 1 : 0)));
  cuts.follow(pool);
}

describe("the cuts of a program", () => {
  it("are rows in the order of their slots, as long as none is taken out", async () => {
    using lp = await program(8);
    const cuts = new CutRows(lp, COLUMNS);
    const all = pool();
    cuts.follow(all);
    assert.deepEqual([cuts.seen, cuts.active, lp.rows], [3, 3, 4]);
    lp.solve();
    assert.equal(lp.objective, 14);
    const basis = lp.basis();
    assert.deepEqual(cuts.stored(basis), basis);
    assert.deepEqual(cuts.forProgram(basis), basis);
    cuts.follow(all);
    assert.equal(lp.rows, 4);
    assert.deepEqual(cuts.names(), ["cut_0", "cut_1", "cut_2"]);
  });

  it("can be taken out and put back", async () => {
    using lp = await program(8);
    const cuts = new CutRows(lp, COLUMNS);
    const all = pool();
    cuts.follow(all);
    showOnly(cuts, all, 0, 1);
    assert.deepEqual([cuts.seen, cuts.active], [3, 2]);
    const isActive = [0, 1, 2, 3].map((slot) => cuts.isActive(slot));
    assert.deepEqual(isActive, [true, true, false, false]);
    lp.solve();
    assert.equal(lp.objective, 8);
    showOnly(cuts, all, 0);
    lp.solve();
    assert.equal(lp.objective, 5);
    showOnly(cuts, all, 0, 2);
    assert.deepEqual(cuts.names(), ["cut_0", "cut_2"]);
    lp.solve();
    assert.equal(lp.objective, 14);
  });

  it("are in the order of their slots again when one comes back, as in a program that has seen nothing else", async () => {
    using lp = await program(8);
    const cuts = new CutRows(lp, COLUMNS);
    const all = pool();
    cuts.follow(all);
    showOnly(cuts, all, 0, 2);
    showOnly(cuts, all, 1, 2);
    assert.deepEqual(cuts.names(), ["cut_1", "cut_2"]);
    using fresh = await program(8);
    new CutRows(fresh, COLUMNS).follow(all);
    assert.deepEqual(lp.data(), fresh.data());
    assert.equal(lp.solve(), "optimal");
    assert.equal(lp.objective, 14);
  });

  it("are added when they are new, whichever others are out", async () => {
    using lp = await program(8);
    const cuts = new CutRows(lp, COLUMNS);
    const all = pool();
    cuts.follow(all);
    showOnly(cuts, all, 1);
    all.add(3, 0, 30, Float64Array.of(0));
    cuts.follow(all);
    assert.deepEqual(cuts.names(), ["cut_1", "cut_3"]);
    assert.deepEqual([cuts.seen, cuts.active], [4, 2]);
    lp.solve();
    assert.equal(lp.objective, 30);
  });

  it("have their states by slot in a stored basis, in whatever order the rows are", async () => {
    using lp = await program(8);
    const cuts = new CutRows(lp, COLUMNS);
    const all = pool();
    const { lower, upper, basic } = BasisState;
    const columns = Uint8Array.of(basic, lower);
    for (const slots of [
      [2, 0, 1],
      [0, 2, 1],
      [1, 2],
    ]) {
      cuts.show(all, Int32Array.from(slots));
      const rows = Uint8Array.of(upper, ...slots.map((slot) => (slot === 2 ? lower : basic)));
      const stored = cuts.stored({ columns, rows });
      assert.deepEqual(stored, { columns, rows: Uint8Array.of(upper, basic, basic, lower) });
      assert.deepEqual(cuts.forProgram(stored), { columns, rows });
    }
  });

  it("have an entry for each component of the state that is not 0", () => {
    const added: RowData[] = [];
    const lp = { rows: 4, addRows: (rows: RowData) => added.push(rows) };
    const columns = { theta: 7, outgoing: Int32Array.of(3, 5, 2) };
    const cuts = new CutPool(3);
    cuts.add(1, 0, 10, Float64Array.of(1, 2, 3));
    cuts.add(1, 1, 20, Float64Array.of(0, 5, 0));
    new CutRows(lp as unknown as LinearProgram, columns).follow(cuts);
    assert.deepEqual(added, [
      {
        lower: Float64Array.of(10, 20),
        upper: Float64Array.of(Infinity, Infinity),
        starts: Int32Array.of(0, 4, 6),
        indices: Int32Array.of(7, 3, 5, 2, 7, 5),
        values: Float64Array.of(1, -1, -2, -3, 1, -5),
      },
    ]);
  });

  it("leave the program alone but for what changes, also one without rows of its own", () => {
    const calls: string[] = [];
    const asked = {
      rows: 0,
      deleteRows: (rows: Int32Array) => calls.push(`-${rows}`),
      addRows: ({ lower }: { lower: Float64Array }) => calls.push(`+${lower}`),
    };
    const cuts = new CutRows(asked as unknown as LinearProgram, COLUMNS);
    const all = pool();
    const callsFor = (change: () => void) => {
      calls.length = 0;
      change();
      return [...calls];
    };
    assert.deepEqual(
      callsFor(() => cuts.follow(new CutPool(1))),
      [],
    );
    assert.deepEqual(
      callsFor(() => cuts.follow(all)),
      ["+5,0,-10"],
    );
    assert.deepEqual(
      callsFor(() => cuts.follow(all)),
      [],
    );
    assert.deepEqual(
      callsFor(() => showOnly(cuts, all, 0, 2)),
      ["-1"],
    );
    assert.deepEqual(
      callsFor(() => showOnly(cuts, all, 0, 1, 2)),
      ["-1", "+0,-10"],
      "cut 2 makes room for cut 1",
    );
  });
});

describe("a basis", () => {
  it("is stored by slot, and basic where a cut has no row", async () => {
    using lp = await program(8);
    const cuts = new CutRows(lp, COLUMNS);
    const all = pool();
    cuts.follow(all);
    showOnly(cuts, all, 1, 2);
    const { lower, upper, basic } = BasisState;
    const rows = Uint8Array.of(basic, upper, lower); // the own row, cut 1, cut 2
    const stored = cuts.stored({ columns: Uint8Array.of(basic, basic), rows });
    assert.deepEqual([...stored.rows], [basic, basic, upper, lower]);
    assert.equal(cuts.storedRows, 4);
    assert.deepEqual([...cuts.forProgram(stored).rows], [...rows]);
    assert.deepEqual([...stored.columns], [basic, basic]);
  });

  it("that was stored before there were so many cuts is basic in the new ones", async () => {
    using lp = await program(8);
    const cuts = new CutRows(lp, COLUMNS);
    const all = pool();
    cuts.follow(all);
    showOnly(cuts, all, 1, 2);
    const { lower, upper, basic } = BasisState;
    const early = {
      columns: Uint8Array.of(basic, basic),
      rows: Uint8Array.of(lower, basic, upper),
    };
    assert.deepEqual([...cuts.forProgram(early).rows], [lower, upper, basic]);
  });

  it("starts a program from which cuts are out, with the same optimum", async () => {
    using lp = await program(8);
    const cuts = new CutRows(lp, COLUMNS);
    const all = pool();
    cuts.follow(all);
    lp.solve();
    const stored = cuts.stored(lp.basis());
    showOnly(cuts, all, 0, 1); // without the cut that is tight in that basis
    lp.startFrom(cuts.forProgram(stored));
    assert.equal(lp.solve(), "optimal");
    assert.equal(lp.objective, 8);
  });
});

describe("cuts with known components", () => {
  /** θ, a state that a row holds at 8, and a known column. */
  async function programWithKnown(value: number): Promise<LinearProgram> {
    const solver = await loadSolver("highs");
    return solver.create({
      cost: Float64Array.of(1, 0, 0),
      columnLower: Float64Array.of(-1000, 0, value),
      columnUpper: Float64Array.of(Infinity, 100, value),
      rows: {
        lower: Float64Array.of(8),
        upper: Float64Array.of(8),
        starts: Int32Array.of(0, 1),
        indices: Int32Array.of(1),
        values: Float64Array.of(1),
      },
    });
  }
  const columns = {
    theta: 0,
    outgoing: Int32Array.of(1, 2),
    outgoingKnown: Int32Array.of(-1, 1),
  };
  /** θ ≥ 1 + 2 x + 3 k, θ ≥ 5 k */
  const cuts = new CutPool(2);
  cuts.add(1, 0, 1, Float64Array.of(2, 3));
  cuts.add(1, 1, 0, Float64Array.of(0, 5));

  it("have these in their right sides, and follow them", async () => {
    const known = Float64Array.of(-7, 4);
    using lp = await programWithKnown(4);
    const rows = new CutRows(lp, columns, known);
    rows.follow(cuts);
    const { starts, indices } = lp.data().rows;
    assert.deepEqual([...starts], [0, 1, 3, 4]);
    assert.deepEqual([...indices], [1, 0, 1, 0]);
    lp.solve();
    assert.equal(lp.objective, 29);
    for (const [value, height] of [
      [20, 100],
      [3, 26],
    ] as const) {
      known[1] = value;
      lp.setColumnBounds(2, Float64Array.of(value), Float64Array.of(value));
      rows.settle();
      lp.solve();
      assert.equal(lp.objective, height);
    }
  });

  it("count in the slopes, and leave the solution as it is", async () => {
    const known = Float64Array.of(0, 4);
    using lp = await programWithKnown(4);
    const rows = new CutRows(lp, columns, known);
    rows.follow(cuts);
    const slopes = () => {
      lp.solve();
      const solution = lp.solution();
      assert.equal(solution.reducedCosts[2], 0);
      const [, , slope] = rows.reducedCosts(solution);
      assert.equal(solution.reducedCosts[2], 0);
      return slope;
    };
    assert.equal(slopes(), 3);
    known[1] = 20;
    rows.settle();
    assert.equal(slopes(), 5);
  });

  it("are whole where nothing is known", async () => {
    using lp = await program(8);
    const rows = new CutRows(lp, COLUMNS);
    rows.follow(pool());
    lp.solve();
    const { primal, reducedCosts, activities } = lp.solution();
    const solution = {
      ...{ primal, reducedCosts, activities },
      get duals() {
        return assert.fail("duals were read");
      },
    };
    assert.equal(rows.reducedCosts(solution), reducedCosts);
  });
});
