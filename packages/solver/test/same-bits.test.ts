import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LinearProgram, LpData, LpSolver, RowData } from "@cobre/solver";
import { largeDispatch, Sequence } from "./programs.js";
import { solversHere, titleOf } from "./solvers.js";

const PLANTS = 16;
const CUTS = 80;
const GROUPS = 12;
const OPENINGS = 5;
const data = largeDispatch(PLANTS, CUTS, 11);

/** Inflows of one opening. */
function inflows(group: number, opening: number): Float64Array {
  const random = new Sequence(1 + group * OPENINGS + opening);
  return Float64Array.from({ length: PLANTS }, () => 30 + 60 * random.next());
}

/** The bytes of objective, primal and duals. */
function bits(lp: LinearProgram): string {
  const { primal, duals } = lp.solution();
  const all = Float64Array.of(lp.objective, ...primal, ...duals);
  return Buffer.from(all.buffer).toString("hex");
}

/** Solves the groups in this order, each from the same basis and then hot through its openings. */
function solveGroups(
  solver: LpSolver,
  lp: LinearProgram,
  order: readonly number[],
): ReadonlyMap<number, string> {
  const start = startBasis(solver);
  const results = new Map<number, string>();
  for (const group of order) {
    lp.startFrom(start);
    let result = "";
    for (let opening = 0; opening < OPENINGS; opening++) {
      const rhs = inflows(group, opening);
      lp.setRowBounds(0, rhs, rhs);
      assert.equal(lp.solve(), "optimal");
      result += bits(lp);
    }
    results.set(group, result);
  }
  return results;
}

function startBasis(solver: LpSolver) {
  const lp = solver.create(data);
  lp.solve();
  const basis = lp.basis();
  lp.close();
  return basis;
}

const forwards = Array.from({ length: GROUPS }, (_, group) => group);
const backwards = [...forwards].reverse();

function subset(rows: RowData, first: number, last: number): RowData {
  const from = rows.starts[first] as number;
  const to = rows.starts[last] as number;
  return {
    lower: rows.lower.slice(first, last),
    upper: rows.upper.slice(first, last),
    starts: rows.starts.slice(first, last + 1).map((start) => start - from),
    indices: rows.indices.slice(from, to),
    values: rows.values.slice(from, to),
  };
}

/** The same program in units that do not fit: some columns in thousandths, others in thousands. */
function inOtherUnits({ cost, columnLower, columnUpper, rows }: LpData): LpData {
  const unit = (column: number) => (column % 3 === 0 ? 1000 : column % 3 === 1 ? 0.001 : 1);
  return {
    cost: cost.map((value, j) => value * unit(j)),
    columnLower: columnLower.map((value, j) => value / unit(j)),
    columnUpper: columnUpper.map((value, j) => value / unit(j)),
    rows: {
      ...rows,
      values: rows.values.map((value, k) => value * unit(rows.indices[k] as number)),
    },
  };
}

for (const solver of await solversHere()) {
  if (solver.name === "clp") continue; // it promises equal costs only
  describe(`${titleOf(solver)} gives the same bits`, () => {
    const expected = (() => {
      const lp = solver.create(data);
      const results = solveGroups(solver, lp, forwards);
      lp.close();
      return results;
    })();

    it("for different work in the first place", () => {
      assert.equal(new Set(expected.values()).size, GROUPS);
    });

    const grown = (): LinearProgram => {
      const { rows } = data;
      const lp = solver.create({ ...data, rows: subset(rows, 0, PLANTS + 1) });
      for (let row = PLANTS + 1; row < rows.lower.length; row++)
        lp.addRows(subset(rows, row, row + 1));
      return lp;
    };
    const shrunk = (): LinearProgram => {
      const lp = solver.create(data);
      lp.solve();
      lp.addRows(subset(largeDispatch(PLANTS, CUTS, 99).rows, PLANTS + 1, PLANTS + 20));
      lp.solve();
      lp.deleteRows(Int32Array.from({ length: 19 }, (_, i) => PLANTS + 1 + CUTS + i));
      return lp;
    };
    const makers: readonly [string, () => LinearProgram][] = [
      ["built at once", () => solver.create(data)],
      ["grown row by row", grown],
      ["grown and shrunk", shrunk],
    ];
    for (const [what, make] of makers) {
      for (const [direction, order] of [
        ["forwards", forwards],
        ["backwards", backwards],
      ] as const) {
        it(`from a program ${what}, ${direction}`, () => {
          const lp = make();
          const results = solveGroups(solver, lp, order);
          lp.close();
          for (const group of forwards) {
            assert.ok(results.get(group) === expected.get(group), `group ${group} differs`);
          }
        });
      }
    }

    it("after a solve that took several attempts", () => {
      const lp = solver.create(data);
      lp.setColumnBounds(0, Float64Array.of(500), Float64Array.of(500));
      assert.equal(lp.solve(), "infeasible");
      lp.setColumnBounds(0, data.columnLower.slice(0, 1), (data as LpData).columnUpper.slice(0, 1));
      const results = solveGroups(solver, lp, backwards);
      lp.close();
      assert.deepEqual(results, new Map([...expected].reverse()));
    });

    it("for a program in odd units, solved first with all its rows or before the last were added", () => {
      const odd = inOtherUnits(data);
      const { rows } = odd;
      const count = rows.lower.length;
      const first = solver.create({ ...odd, rows: subset(rows, 0, PLANTS + 1) });
      first.solve();
      first.addRows(subset(rows, PLANTS + 1, count));
      const last = solver.create(odd);
      assert.deepEqual(solveGroups(solver, first, backwards), solveGroups(solver, last, forwards));
      first.close();
      last.close();
    });
  });
}
