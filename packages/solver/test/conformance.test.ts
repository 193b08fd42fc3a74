import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  BasisState,
  type LinearProgram,
  type LpData,
  SolverError,
  type SolverErrorKind,
} from "@cobre/solver";
import { SmallProgram } from "#internal";
import { DISPATCH, largeDispatch, program, rowData } from "./programs.js";
import { solversHere, titleOf } from "./solvers.js";

const INF = Number.POSITIVE_INFINITY;

function close(actual: number | undefined, expected: number, what = ""): void {
  const scale = Math.max(1, Math.abs(expected));
  assert.ok(
    Math.abs((actual as number) - expected) <= 1e-9 * scale,
    `${what} ${actual} is not ${expected}`,
  );
}

function throwsKind(kind: SolverErrorKind, body: () => unknown): void {
  assert.throws(body, (error) => {
    assert.ok(error instanceof SolverError, String(error));
    assert.equal(error.kind, kind, error.message);
    return true;
  });
}

// One table of tests for every solver.
for (const solver of await solversHere()) {
  const using = (data: LpData, test: (lp: LinearProgram) => void) => () => {
    const lp = solver.create(data);
    try {
      test(lp);
    } finally {
      lp.close();
    }
  };

  describe(titleOf(solver), () => {
    it(
      "finds optimum, primal, duals, reduced costs and activities",
      using(DISPATCH, (lp) => {
        assert.equal(lp.solve(), "optimal");
        // Water is worth 75 later and 50 now, so it is kept until the cut no longer pays for it: 100.
        close(lp.objective, 2500);
        const { primal, reducedCosts, activities, duals } = lp.solution();
        [100, 100, 0, 50, 0].forEach((value, column) => {
          close(primal[column], value, `x${column}`);
        });
        close(duals[0], -50, "water");
        close(duals[1], 50, "load");
        close(duals[2], 2 / 3, "cut");
        close(reducedCosts[2], 50.01, "spill");
        close(reducedCosts[4], 1 / 3, "cost to come");
        close(activities[0], 200);
        close(activities[2], 7500);
        assert.equal(lp.attempts, 1);
      }),
    );

    it(
      "refuses costs that it would take for infinite",
      using(DISPATCH, (lp) => {
        for (const cost of [1e20, -1e308, INF, Number.NaN]) {
          throwsKind("InvalidProgram", () => solver.create(program([{ cost }], [])));
          throwsKind("InvalidProgram", () => lp.setCosts(3, Float64Array.of(cost)));
        }
        lp.setCosts(3, Float64Array.of(50));
        assert.equal(lp.solve(), "optimal");
        close(lp.objective, 2500);
      }),
    );

    it(
      "tells by its duals how the objective moves with a right-hand side",
      using(DISPATCH, (lp) => {
        lp.solve();
        const before = lp.objective;
        const dual = lp.solution().duals[1] as number;
        lp.setRowBounds(1, Float64Array.of(151), Float64Array.of(151));
        lp.solve();
        close(lp.objective - before, dual);
      }),
    );

    it(
      "takes new bounds and costs",
      using(DISPATCH, (lp) => {
        lp.solve();
        lp.setRowBounds(0, Float64Array.of(300, 100), Float64Array.of(300, 100));
        lp.solve();
        close(lp.objective, 0, "rows 0 and 1");
        lp.setColumnBounds(1, Float64Array.of(0), Float64Array.of(20));
        lp.solve();
        close(lp.objective, 80 * 50 + 80 * 0.01, "column 1");
        lp.setCosts(2, Float64Array.of(1, 60));
        lp.solve();
        close(lp.objective, 80 * 60 + 80 * 1, "costs 2 and 3");
      }),
    );

    it(
      "takes new rows and forgets deleted ones",
      using(DISPATCH, (lp) => {
        lp.solve();
        const cuts = rowData([
          [9000, [60, 0, 0, 0, 1], INF],
          [20000, [0, 0, 0, 0, 1], INF],
        ]);
        lp.addRows(cuts);
        assert.equal(lp.rows, 5);
        lp.solve();
        // 20000 for the last cut, and thermal as much as the first two leave.
        close(lp.objective, 20000);
        close(lp.solution().duals[4], 1);
        lp.deleteRows(Int32Array.of(2, 4));
        assert.equal(lp.rows, 3);
        lp.solve();
        // Of the cuts, 60 a unit of water is left.
        close(lp.objective, 50 * 100);
        close(lp.solution().primal[0], 150);
        assert.equal(lp.solution().duals.length, 3);
      }),
    );

    it(
      "starts from a basis, also from one with fewer rows",
      using(largeDispatch(12, 40, 3), (lp) => {
        lp.solve();
        const objective = lp.objective;
        assert.ok(lp.iterations > 5);
        const basis = lp.basis();
        const basic = [...basis.columns, ...basis.rows].filter(
          (state) => state === BasisState.basic,
        );
        assert.equal(basic.length, lp.rows);
        lp.startFrom(basis);
        assert.equal(lp.solve(), "optimal");
        assert.equal(lp.iterations, 0);
        close(lp.objective, objective);
        const columns = lp.columns;
        const row = new Array<number>(columns).fill(0);
        row[columns - 1] = 1;
        lp.addRows(rowData([[-1e6, row, INF]]));
        lp.startFrom(basis);
        assert.equal(lp.solve(), "optimal");
        assert.equal(lp.iterations, 0, "a row that does not bind changes nothing");
        close(lp.objective, objective);
      }),
    );

    it(
      "says that a program is infeasible, after a second look, and goes on",
      using(DISPATCH, (lp) => {
        lp.solve();
        lp.setColumnBounds(3, Float64Array.of(0), Float64Array.of(1));
        lp.setColumnBounds(1, Float64Array.of(0), Float64Array.of(1));
        assert.equal(lp.solve(), "infeasible");
        assert.equal(lp.attempts, 2);
        assert.ok(Number.isNaN(lp.objective));
        throwsKind("NoSolution", () => lp.solution());
        lp.setColumnBounds(3, Float64Array.of(0), Float64Array.of(INF));
        assert.equal(lp.solve(), "optimal");
        close(lp.objective, 149 * 50);
      }),
    );

    it(
      "says that a program is unbounded",
      using(program([{ cost: -1 }, { cost: 0 }], [[0, [1, -1], INF]]), (lp) => {
        assert.equal(lp.solve(), "unbounded");
      }),
    );

    it(
      "solves programs without rows, and with free columns",
      using(
        program(
          [
            { cost: 2, lower: -3 },
            { cost: -1, upper: 4 },
          ],
          [],
        ),
        (lp) => {
          assert.equal(lp.solve(), "optimal");
          close(lp.objective, -10);
          lp.setColumnBounds(0, Float64Array.of(-INF), Float64Array.of(INF));
          lp.addRows(rowData([[-8, [1, 1], INF]]));
          assert.equal(lp.solve(), "optimal");
          close(lp.objective, -28);
          close(lp.solution().primal[0], -12);
        },
      ),
    );

    it(
      "gives the program back as it is",
      using(DISPATCH, (lp) => {
        lp.setRowBounds(1, Float64Array.of(-INF), Float64Array.of(140));
        lp.setColumnBounds(4, Float64Array.of(-7), Float64Array.of(INF));
        lp.addRows(rowData([[1, [0, 0, 3, 0, 0.1], 2]]));
        lp.deleteRows(Int32Array.of(0));
        lp.solve();
        const data = lp.data();
        assert.deepEqual([...data.cost], [...DISPATCH.cost]);
        assert.deepEqual([...data.columnLower], [0, 0, 0, 0, -7]);
        assert.deepEqual([...data.columnUpper], [200, INF, INF, INF, INF]);
        const expected = rowData([
          [-INF, [0, 1, 0, 1, 0], 140],
          [7500, [75, 0, 0, 0, 1], INF],
          [1, [0, 0, 3, 0, 0.1], 2],
        ]);
        assert.deepEqual(data.rows, expected);
      }),
    );

    it("finds the optimum on every rung of its ladder, and leaves no setting behind", () => {
      const data = largeDispatch(10, 30, 5);
      const fresh = solver.create(data);
      fresh.solve();
      const { objective } = fresh;
      fresh.close();
      const lp = solver.create(data);
      lp.solve();
      const basis = lp.basis();
      const iterations = lp.iterations;
      const ladder = lp as unknown as { rungs: number; attempt(rung: number): string };
      for (let rung = 0; rung < ladder.rungs; rung++) {
        lp.setRowBounds(0, Float64Array.of(55), Float64Array.of(55));
        lp.solve();
        lp.setRowBounds(0, Float64Array.of(60), Float64Array.of(60));
        assert.equal(ladder.attempt(rung), "optimal", `rung ${rung}`);
      }
      lp.startFrom({ columns: basis.columns.map(() => 0), rows: basis.rows.map(() => 1) });
      lp.solve();
      close(lp.objective, objective);
      if (solver.name !== "clp") assert.equal(lp.iterations, iterations);
      lp.close();
    });

    it("finds the same optimum however it prices", () => {
      const objectives = (["choose", "steepest", "devex"] as const).map((edgeWeights) => {
        const lp = solver.create(largeDispatch(12, 40, 3), { edgeWeights });
        assert.equal(lp.solve(), "optimal");
        const { objective } = lp;
        lp.close();
        return objective;
      });
      for (const objective of objectives) close(objective, objectives[0] as number);
    });

    it(
      "stops at the limit of iterations, which grows with the program",
      using(largeDispatch(12, 40, 3), (lp) => {
        const inner = lp as unknown as { iterationLimit: number; attempt(rung: number): string };
        if (lp instanceof SmallProgram) return; // it asks HiGHS then
        assert.equal(inner.iterationLimit, 1000 + 50 * (lp.rows + lp.columns));
        Object.defineProperty(lp, "iterationLimit", { value: 2 });
        assert.equal(inner.attempt(0), "limit");
      }),
    );

    it("keeps programs apart, whatever memory they need", () => {
      const first = solver.create(DISPATCH);
      const large = Array.from({ length: 6 }, (_, i) => solver.create(largeDispatch(60, 400, i)));
      for (const lp of large) assert.equal(lp.solve(), "optimal");
      assert.equal(first.solve(), "optimal");
      close(first.objective, 2500);
      close(first.solution().primal[0], 100);
      for (const lp of large) lp.close();
      first.close();
    });

    it(
      "refuses what does not fit",
      using(DISPATCH, (lp) => {
        const one = Float64Array.of(1);
        throwsKind("InvalidProgram", () => lp.setRowBounds(3, one, one));
        throwsKind("InvalidProgram", () => lp.setRowBounds(0, one, Float64Array.of(1, 2)));
        throwsKind("InvalidProgram", () => lp.setColumnBounds(-1, one, one));
        throwsKind("InvalidProgram", () => lp.setCosts(5, one));
        throwsKind("InvalidProgram", () => lp.deleteRows(Int32Array.of(1, 1)));
        throwsKind("InvalidProgram", () => lp.deleteRows(Int32Array.of(3)));
        throwsKind("InvalidProgram", () => lp.addRows(rowData([[0, [0, 0, 0, 0, 0, 1], 1]])));
        throwsKind("InvalidProgram", () =>
          lp.addRows({ ...rowData([[0, [1], 1]]), starts: Int32Array.of(0, 2) }),
        );
        throwsKind("InvalidProgram", () => lp.addRows(rowData([[0, [Number.NaN], 1]])));
        throwsKind("InvalidProgram", () => solver.create({ ...DISPATCH, cost: one }));
        throwsKind("NoSolution", () => lp.solution());
        throwsKind("InvalidBasis", () =>
          lp.startFrom({ columns: new Uint8Array(4), rows: new Uint8Array(3) }),
        );
        throwsKind("InvalidBasis", () =>
          lp.startFrom({ columns: new Uint8Array(5), rows: new Uint8Array(4) }),
        );
        assert.equal(lp.solve(), "optimal");
      }),
    );

    it("is closed once and for all", () => {
      const lp = solver.create(DISPATCH);
      lp.close();
      lp.close();
      throwsKind("SolverClosed", () => lp.solve());
      throwsKind("SolverClosed", () => lp.setCosts(0, Float64Array.of(1)));
      throwsKind("SolverClosed", () => lp.basis());
    });
  });
}
