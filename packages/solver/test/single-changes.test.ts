import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LinearProgram } from "@cobre/solver";
import { program } from "./programs.js";
import { solversHere, titleOf } from "./solvers.js";

const INF = Number.POSITIVE_INFINITY;
const one = (value: number) => Float64Array.of(value);

for (const solver of await solversHere()) {
  describe(`a program of ${titleOf(solver)} in a block`, () => {
    it("is closed at its end", () => {
      let kept: LinearProgram;
      {
        using lp = solver.create(program([{ cost: 1 }], []));
        kept = lp;
        kept.solve();
      }
      assert.throws(() => kept.solve(), { kind: "SolverClosed" });
    });
  });

  describe(`a single change with ${titleOf(solver)}`, () => {
    it("moves the optimum by the bound that binds, each for itself", () => {
      using lp = solver.create(program([{ cost: 1, upper: 10 }], [[2, [1], 8]]));
      const optimum = (cost: number) => {
        lp.setCosts(0, one(cost));
        assert.equal(lp.solve(), "optimal");
        return lp.solution().primal[0];
      };
      const both = () => [optimum(1), optimum(-1)];
      assert.deepEqual(both(), [2, 8]);
      lp.setRowBounds(0, one(3), one(8));
      assert.deepEqual(both(), [3, 8]);
      lp.setRowBounds(0, one(3), one(7));
      assert.deepEqual(both(), [3, 7]);
      lp.setColumnBounds(0, one(4), one(10));
      assert.deepEqual(both(), [4, 7]);
      lp.setColumnBounds(0, one(4), one(6));
      assert.deepEqual(both(), [4, 6]);
    });

    it("of one among many leaves the others as they are", () => {
      const columns = [1, 2, 3, 4].map((lower) => ({ cost: 1, lower }));
      const rows = [0, 1, 2, 3].map((place) => {
        return [
          -INF,
          [0, 1, 2, 3].map((column) => (column === place ? 1 : 0)),
          50 + place,
        ] as const;
      });
      using lp = solver.create(program(columns, rows));
      lp.setColumnBounds(1, one(7), one(INF));
      lp.setRowBounds(2, one(9), one(52));
      lp.setCosts(3, one(-1));
      lp.solve();
      assert.deepEqual([...lp.solution().primal], [1, 7, 9, 53]);
      const { columnLower, columnUpper, cost, rows: found } = lp.data();
      assert.deepEqual([...columnLower], [1, 7, 3, 4]);
      assert.deepEqual([...columnUpper], [INF, INF, INF, INF]);
      assert.deepEqual([...cost], [1, 1, 1, -1]);
      assert.deepEqual([...found.lower], [-INF, -INF, 9, -INF]);
      assert.deepEqual([...found.upper], [50, 51, 52, 53]);
    });

    it("of the number of rows changes the length of the solution", () => {
      const lengths = (lp: LinearProgram) => {
        lp.solve();
        const { primal, reducedCosts, activities, duals } = lp.solution();
        return [primal, reducedCosts, activities, duals].map(({ length }) => length);
      };
      using none = solver.create(program([{ cost: 1 }, { cost: 1 }], []));
      assert.deepEqual(lengths(none), [2, 2, 0, 0]);
      using single = solver.create(program([{ cost: 1 }, { cost: 1 }], [[2, [1, 1], INF]]));
      assert.deepEqual(lengths(single), [2, 2, 1, 1]);
      assert.deepEqual([single.solution().activities[0], single.solution().duals[0]], [2, 1]);
    });
  });
}
