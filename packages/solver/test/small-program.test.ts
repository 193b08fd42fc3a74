/** The embedded simplex beside HiGHS: the same verdicts, the same costs, and solutions that prove themselves. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Basis, BasisState, type LinearProgram } from "@cobre/solver";
import { gapOf, isDualFeasible, WorkingProgram } from "#internal";
import { type DenseRow, largeDispatch, program, rowData, Sequence } from "./programs.js";
import { change, counted, highs, wildProgram } from "./small-programs.js";

const INF = Number.POSITIVE_INFINITY;

/** Fails unless the solution is feasible and its duals prove that none is better. */
function checkProof(lp: LinearProgram, what: string): void {
  const { cost, columnLower, columnUpper, rows } = lp.data();
  const { primal, reducedCosts, activities, duals } = lp.solution();
  const near = (a: number, b: number, scale: number, name: string) =>
    assert.ok(Math.abs(a - b) <= 1e-7 * Math.max(1, scale), `${what}: ${name}: ${a} and ${b}`);
  const within = (value: number, lower: number, upper: number, name: string) => {
    const room = 1e-7 * Math.max(1, Math.abs(value));
    assert.ok(value >= lower - room && value <= upper + room, `${what}: ${name} is ${value}`);
  };
  /** What a price earns at the bound that it needs. */
  const earned = (price: number, lower: number, upper: number, name: string) => {
    if (Math.abs(price) < 1e-7) return 0;
    const bound = price > 0 ? lower : upper;
    assert.ok(Number.isFinite(bound), `${what}: ${name} has a price of ${price} and no bound`);
    return price * bound;
  };
  const left = cost.slice();
  let proven = 0;
  for (let row = 0; row < rows.lower.length; row++) {
    let sum = 0;
    let scale = 0;
    for (let e = rows.starts[row] as number; e < (rows.starts[row + 1] as number); e++) {
      const j = rows.indices[e] as number;
      const term = (rows.values[e] as number) * (primal[j] as number);
      sum += term;
      scale = Math.max(scale, Math.abs(term));
      left[j] = (left[j] as number) - (duals[row] as number) * (rows.values[e] as number);
    }
    near(activities[row] as number, sum, scale, `activity ${row}`);
    within(sum, rows.lower[row] as number, rows.upper[row] as number, `row ${row}`);
    const [lower, upper] = [rows.lower[row] as number, rows.upper[row] as number];
    proven += earned(duals[row] as number, lower, upper, `row ${row}`);
  }
  let total = 0;
  let scale = 0;
  for (let j = 0; j < cost.length; j++) {
    within(primal[j] as number, columnLower[j] as number, columnUpper[j] as number, `column ${j}`);
    near(reducedCosts[j] as number, left[j] as number, Math.abs(cost[j] as number), `cost ${j}`);
    const [lower, upper] = [columnLower[j] as number, columnUpper[j] as number];
    proven += earned(reducedCosts[j] as number, lower, upper, `column ${j}`);
    const term = (cost[j] as number) * (primal[j] as number);
    total += term;
    scale = Math.max(scale, Math.abs(term));
  }
  near(lp.objective, total, scale, "objective");
  near(proven, total, 10 * scale, "proof");
}

function relative(a: number, b: number): number {
  return Math.abs(a - b) / Math.max(1, Math.abs(a), Math.abs(b));
}

/** Solves with both, and compares. */
function compare(lp: LinearProgram, what: string): void {
  const status = lp.solve();
  const plain = highs.create(lp.data());
  assert.equal(status, plain.solve(), what);
  if (status === "optimal") {
    assert.ok(relative(lp.objective, plain.objective) < 1e-8, what);
    checkProof(lp, what);
  }
  plain.close();
}

describe("the embedded simplex", () => {
  it("agrees with HiGHS on programs without order, through all kinds of changes", () => {
    let ownOptima = 0;
    const statuses = new Set<string>();
    for (let seed = 1; seed <= 160; seed++) {
      const random = new Sequence(seed);
      const { lp, asked } = counted(wildProgram(random, seed % 2 === 0));
      const solve = (what: string) => {
        const before = asked();
        compare(lp, `seed ${seed}, ${what}`);
        statuses.add(lp.status);
        if (asked() === before) ownOptima++;
      };
      solve("first");
      for (let step = 0; step < 12; step++) {
        change(lp, random);
        solve(`step ${step}`);
      }
      lp.close();
    }
    assert.deepEqual([...statuses].sort(), ["infeasible", "optimal", "unbounded"]);
    assert.ok(ownOptima > 400, `HiGHS was not needed ${ownOptima} times`);
  });

  it("solves the openings of a dispatch without HiGHS, from any basis of an earlier one", () => {
    for (let seed = 1; seed <= 8; seed++) {
      const plants = 6 + seed;
      const { lp, asked } = counted(largeDispatch(plants, 30 + 10 * seed, seed));
      lp.solve();
      const random = new Sequence(seed);
      const bases = [lp.basis()];
      const before = asked();
      for (let opening = 0; opening < 60; opening++) {
        const inflow = Float64Array.from({ length: plants }, () => 150 * random.next());
        lp.setRowBounds(0, inflow, inflow);
        if (opening % 5 === 0)
          lp.startFrom(bases[Math.floor(random.next() * bases.length)] as Basis);
        if (opening % 7 === 0) {
          const cut = Array.from({ length: 3 * plants + 14 }, (_, j) =>
            j < plants ? 60 * random.next() : Number(j === 3 * plants + 13),
          );
          lp.addRows(rowData([[4000 * random.next(), cut, INF]]));
        }
        compare(lp, `seed ${seed}, opening ${opening}`);
        bases.push(lp.basis());
      }
      assert.equal(asked(), before, "HiGHS was asked");
      lp.close();
    }
  });

  it("passes columns with two bounds, and takes the one that ends the step", () => {
    // Four cheap plants of 10 each, then a dear one: a load of 35 fills three of them in one step.
    const plants = [1, 2, 3, 4].map((cost) => ({ cost, upper: 10 }));
    const { lp, asked } = counted(program([...plants, { cost: 100 }], [[0, [1, 1, 1, 1, 1], 0]]));
    assert.equal(lp.solve(), "optimal");
    const load = Float64Array.of(35);
    lp.setRowBounds(0, load, load);
    assert.equal(lp.solve(), "optimal");
    assert.deepEqual([...lp.solution().primal], [10, 10, 10, 5, 0]);
    assert.equal(lp.solution().duals[0], 4);
    assert.equal(lp.iterations, 1);
    assert.equal(asked(), 0);
  });

  it("passes any number of columns in one step", () => {
    const plants = Array.from({ length: 40 }, (_, i) => ({ cost: 1 + i, upper: 10 }));
    const all = [...plants, { cost: 100 }];
    const { lp, asked } = counted(program(all, [[0, all.map(() => 1), 0]]));
    assert.equal(lp.solve(), "optimal");
    const load = Float64Array.of(365);
    lp.setRowBounds(0, load, load);
    assert.equal(lp.solve(), "optimal");
    assert.deepEqual([...lp.solution().primal.subarray(34)], [10, 10, 5, 0, 0, 0, 0]);
    assert.deepEqual([lp.objective, lp.iterations, asked()], [36 * 5 * 37 + 5 * 37, 1, 0]);
  });

  it("enters the last column if all of them are needed, to the last bit", () => {
    // Two plants that are just large enough. Of the load, 2e-12 are left by rounding when both have been counted.
    const plants = [
      { cost: 1, upper: 17100 },
      { cost: 2, upper: 13500 },
    ];
    const [first, second] = [0.7716049382716049, 0.3];
    const load = first * 17100 + second * 13500;
    const { lp, asked } = counted(program(plants, [[load, [first, second], INF]]));
    assert.equal(lp.solve(), "optimal");
    assert.equal(asked(), 0);
    assert.ok(relative(lp.objective, 44100) < 1e-12);
    checkProof(lp, "two plants");
  });

  it("leaves what it cannot do to HiGHS: wrong signs at the start, no optimum, singular bases", () => {
    const columns = [
      { cost: -1, upper: INF },
      { cost: 1, upper: 5 },
    ];
    const { lp, asked } = counted(program(columns, [[-INF, [1, 1], 4]]));
    assert.equal(lp.solve(), "optimal");
    assert.equal(lp.objective, -4);
    assert.equal(asked(), 1);
    lp.setRowBounds(0, Float64Array.of(7), Float64Array.of(6));
    assert.equal(lp.solve(), "infeasible");
    assert.equal(asked(), 2);
    lp.setRowBounds(0, Float64Array.of(0), Float64Array.of(9));
    lp.setColumnBounds(1, Float64Array.of(3), Float64Array.of(2));
    assert.equal(lp.solve(), "infeasible");
    assert.equal(asked(), 3);
    lp.setColumnBounds(1, Float64Array.of(0), Float64Array.of(5));
    lp.setRowBounds(0, Float64Array.of(-INF), Float64Array.of(INF));
    assert.equal(lp.solve(), "unbounded");
    const twice = program(
      [{ cost: 1 }, { cost: 1 }],
      [
        [1, [1, 1], INF],
        [2, [1, 1], INF],
      ],
    );
    const singular = counted(twice);
    const { lower, basic } = BasisState;
    singular.lp.startFrom({
      columns: Uint8Array.of(basic, basic),
      rows: Uint8Array.of(lower, lower),
    });
    assert.equal(singular.lp.solve(), "optimal");
    assert.equal(singular.lp.objective, 2);
    assert.equal(singular.asked(), 1);
  });

  it("goes on from the basis that HiGHS has found", () => {
    const columns = [{ cost: -1 }, { cost: 1, upper: 5 }];
    const { lp, asked } = counted(program(columns, [[-INF, [1, 1], 4]]));
    lp.solve();
    lp.setRowBounds(0, Float64Array.of(-INF), Float64Array.of(9));
    assert.equal(lp.solve(), "optimal");
    assert.equal(lp.objective, -9);
    assert.equal(asked(), 1);
  });

  it("counts the iterations of HiGHS, and is closed for all questions", () => {
    const { lp, asked } = counted(program([{ cost: -1 }], [[-INF, [1], 4]]));
    assert.equal(lp.solve(), "optimal");
    assert.deepEqual([lp.iterations, asked(), lp.solver], [1, 1, "highs-wasm"]);
    lp.close();
    assert.throws(() => lp.data(), { kind: "SolverClosed" });
    assert.throws(() => lp.basis(), { kind: "SolverClosed" });
  });

  it("ends where costs are so large that a ratio is rounded", () => {
    const { lp } = counted(program([{ cost: 3e7 }], [[1, [0.29], INF]]));
    assert.equal(lp.solve(), "optimal");
    assert.ok(relative(lp.objective, 3e7 / 0.29) < 1e-12);
  });

  it("does not take a gain for rounding because it is small beside the costs", () => {
    const columns = [{ cost: 1e7 }, { cost: -1e7 - 0.005, upper: 1e6 }];
    const { lp } = counted(program(columns, [[0, [1, -1], 0]]));
    const { lower, basic } = BasisState;
    lp.startFrom({ columns: Uint8Array.of(basic, lower), rows: Uint8Array.of(lower) });
    assert.equal(lp.solve(), "optimal");
    assert.ok(relative(lp.objective, -5000) < 1e-6, `${lp.objective}`);
  });

  it("computes reduced costs anew after a solve that was not ended", () => {
    const fixed = { cost: 1, lower: 2, upper: 2 };
    const columns = [{ cost: 3 }, { cost: 5 }, fixed];
    const rows: DenseRow[] = [
      [4, [1, 0, 1], INF],
      [9, [0, 1, 1], INF],
    ];
    const { lp, asked } = counted(program(columns, rows));
    const inner = lp as unknown as { simplex: { solve(most: number): boolean } };
    assert.equal(inner.simplex.solve(1), false);
    // Without the first row the basis of that step is optimal.
    lp.setRowBounds(0, Float64Array.of(0), Float64Array.of(INF));
    assert.equal(lp.solve(), "optimal");
    assert.deepEqual([lp.iterations, asked()], [0, 0]);
    assert.equal(lp.solution().reducedCosts[2], -4);
    checkProof(lp, "after the limit");
  });

  it("does not call a basis optimal whose prices have a wrong sign", () => {
    const { lower, upper, basic } = BasisState;
    const judge = (change: (working: WorkingProgram) => void) => {
      const rows: DenseRow[] = [[2, [1, 0], 7]];
      const working = new WorkingProgram(program([{ cost: 1 }, { cost: 0, upper: 5 }], rows));
      working.setBasis(Uint8Array.of(basic, lower), Uint8Array.of(lower));
      assert.ok(working.ensureInverse());
      working.duals[0] = 1;
      change(working);
      return isDualFeasible(working);
    };
    const wrong: readonly ((working: WorkingProgram) => void)[] = [
      ({ reducedCosts }) => reducedCosts.set([0, -1]),
      ({ reducedCosts, columnState }) => {
        reducedCosts.set([0, 1]);
        columnState[1] = upper;
      },
      ({ reducedCosts }) => reducedCosts.set([1e-6, 0]),
      ({ reducedCosts }) => reducedCosts.set([0, Number.NaN]),
      ({ duals }) => duals.set([-1]),
      ({ rowState }) => rowState.set([upper]),
    ];
    assert.ok(judge(() => {}));
    assert.ok(judge(({ reducedCosts }) => reducedCosts.set([1e-8, -1e-8])));
    wrong.forEach((change, i) => {
      assert.equal(judge(change), false, `${i}`);
    });
  });

  it("takes bounds of 1e20 and more for infinite, as HiGHS does", () => {
    const { lp } = counted(program([{ cost: -1, upper: 1e30 }], [[-1e25, [1], 1e22]]));
    assert.equal(lp.solve(), "unbounded");
    const { columnUpper, rows } = lp.data();
    assert.deepEqual([columnUpper[0], rows.lower[0], rows.upper[0]], [INF, -INF, INF]);
    lp.addRows(rowData([[-1e20, [1], 1e20]]));
    assert.deepEqual([lp.data().rows.lower[1], lp.data().rows.upper[1]], [-INF, INF]);
    const [large, small] = [Float64Array.of(1e20), Float64Array.of(-1e20)];
    assert.throws(() => lp.setColumnBounds(0, large, large), { kind: "InvalidProgram" });
    assert.throws(() => lp.setColumnBounds(0, small, small), { kind: "InvalidProgram" });
  });

  it("takes a value for that of a bound if it is near, as large as the bound is", () => {
    assert.equal(gapOf(1 - 1e-8, 1, INF), 1 - (1 - 1e-8));
    assert.equal(gapOf(1 - 1e-10, 1, INF), 0);
    assert.equal(gapOf(-1e-10, 0, INF), 0);
    assert.equal(gapOf(1e6 - 1e-4, 1e6, INF), 0);
    assert.equal(gapOf(1e6 - 1e-2, 1e6, INF), 1e6 - (1e6 - 1e-2));
    assert.equal(gapOf(1 + 1e-8, -INF, 1), 1 - (1 + 1e-8));
    assert.equal(gapOf(1e-10, -INF, 0), 0);
    assert.equal(gapOf(1e6 + 1e-4, -INF, 1e6), 0);
  });

  it("refuses what HiGHS refuses", () => {
    const { lp } = counted(program([{ cost: 1 }, { cost: 1 }], [[1, [1, 1], INF]]));
    const refused = (message: RegExp, body: () => void) =>
      assert.throws(body, { kind: "InvalidProgram", message });
    const nan = Float64Array.of(Number.NaN);
    refused(/bounds NaN and NaN/, () => lp.setColumnBounds(0, nan, nan));
    refused(/bounds Infinity and Infinity/, () =>
      lp.setRowBounds(0, Float64Array.of(INF), Float64Array.of(INF)),
    );
    const row = rowData([[1, [1, 1], INF]]);
    refused(/names column 0 twice/, () => lp.addRows({ ...row, indices: Int32Array.of(0, 0) }));
    refused(/the value 1000000000000000;/, () =>
      lp.addRows({ ...row, values: Float64Array.of(1, 1e15) }),
    );
    refused(/bounds NaN and Infinity/, () => lp.addRows({ ...row, lower: nan }));
    assert.equal(lp.rows, 1);
    refused(/names column 0 twice/, () =>
      counted({ ...lp.data(), rows: { ...row, indices: Int32Array.of(0, 0) } }),
    );
    for (const [columns, rows] of [
      [[0, 7], [1]],
      [[0, 1], [7]],
    ] as const) {
      const basis = { columns: Uint8Array.from(columns), rows: Uint8Array.from(rows) };
      assert.throws(() => lp.startFrom(basis), { kind: "InvalidBasis" });
    }
    assert.equal(lp.solve(), "optimal");
  });
});
