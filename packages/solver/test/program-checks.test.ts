import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Basis,
  type LpData,
  type LpSolution,
  loadSolver,
  type RowData,
  SolverError,
  type SolverErrorKind,
  SubproblemFailed,
} from "@cobre/solver";
import { type AttemptResult, RetryingProgram } from "#internal";
import { DISPATCH, rowData } from "./programs.js";

/** A solver that writes down what it is asked for. Its attempts end as told, one after the other. */
class Recorder extends RetryingProgram {
  readonly solver = "clp";
  protected readonly rungs = 3;
  readonly calls: string[] = [];
  results: (AttemptResult | number)[] = [];
  private last = Number.NaN;

  constructor(maxAttempts?: number) {
    super(DISPATCH, maxAttempts === undefined ? {} : { maxAttempts });
  }

  /** A number is the objective of an optimum. */
  protected attempt(rung: number): AttemptResult {
    this.calls.push(`attempt ${rung}`);
    this.iterations += 10;
    const result = this.results.shift() ?? "trouble";
    if (typeof result !== "number") return result;
    this.last = result;
    return "optimal";
  }

  protected readObjective(): number {
    return this.last;
  }
  protected readSolution(part: keyof LpSolution): Float64Array {
    this.calls.push(`read ${part}`);
    return Float64Array.of(this.last);
  }
  protected applyRowBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.calls.push(`rows from ${first}: ${lower} to ${upper}`);
  }
  protected applyColumnBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.calls.push(`columns from ${first}: ${lower} to ${upper}`);
  }
  protected applyCosts(first: number, costs: Float64Array): void {
    this.calls.push(`costs from ${first}: ${costs}`);
  }
  protected appendRows({ lower }: RowData): void {
    this.calls.push(`add ${lower.length}`);
  }
  protected removeRows(indices: Int32Array): void {
    this.calls.push(`remove ${indices}`);
  }
  protected applyBasis(basis: Basis): void {
    this.calls.push(`basis ${basis.rows.length}`);
  }
  protected release(): void {
    this.calls.push("release");
  }
  basis(): Basis {
    throw new Error("not recorded");
  }
  data(): LpData {
    return DISPATCH;
  }
}

const numbers = (...values: number[]) => Float64Array.from(values);
const indices = (...values: number[]) => Int32Array.from(values);
const one = numbers(1);
const none = numbers();

function refuses(kind: SolverErrorKind, message: RegExp, body: () => unknown): void {
  assert.throws(body, (error) => {
    assert.ok(error instanceof SolverError, String(error));
    assert.equal(error.kind, kind);
    assert.equal(error.solver, "clp");
    assert.match(error.message, message);
    return true;
  });
}

describe("a program", () => {
  it("has the size of its data, and no result yet", () => {
    const lp = new Recorder();
    assert.deepEqual([lp.columns, lp.rows], [5, 3]);
    assert.deepEqual(
      [lp.status, lp.objective, lp.iterations, lp.attempts],
      ["failed", Number.NaN, 0, 0],
    );
    refuses("NoSolution", /^clp: the program has not been solved; call solve\(\)/, () =>
      lp.solution(),
    );
  });

  it("counts iterations and attempts of the last solve only", () => {
    const lp = new Recorder();
    lp.results = ["trouble", 7, 8];
    assert.equal(lp.solve(), "optimal");
    assert.deepEqual([lp.objective, lp.iterations, lp.attempts], [7, 20, 2]);
    assert.equal(lp.solve(), "optimal");
    assert.deepEqual([lp.objective, lp.iterations, lp.attempts], [8, 10, 1]);
    assert.ok(lp.solution());
  });

  it("copies what is asked for of a solution, once", () => {
    const lp = new Recorder();
    lp.results = [7, 8];
    lp.solve();
    const early = lp.solution();
    lp.calls.length = 0;
    assert.equal(early.primal[0], 7);
    assert.equal(lp.solution().primal[0], 7);
    assert.equal(early.duals[0], 7);
    assert.deepEqual(lp.calls, ["read primal", "read duals"]);
    lp.solve();
    assert.equal(lp.solution().primal[0], 8);
    const { primal, reducedCosts, activities, duals } = { ...lp.solution() };
    assert.deepEqual([primal, reducedCosts, activities, duals], Array(4).fill(numbers(8)));
  });

  it("copies nothing more of a solution once it has changed", () => {
    const changes: ((lp: Recorder) => void)[] = [
      (lp) => lp.setRowBounds(0, one, one),
      (lp) => lp.setColumnBounds(0, one, one),
      (lp) => lp.setCosts(0, one),
      (lp) => lp.addRows(rowData([])),
      (lp) => lp.deleteRows(indices(0)),
      (lp) => lp.startFrom({ columns: new Uint8Array(5), rows: new Uint8Array(3) }),
    ];
    for (const change of changes) {
      const lp = new Recorder();
      lp.results = [7];
      lp.solve();
      const found = lp.solution();
      assert.equal(found.primal[0], 7);
      change(lp);
      assert.equal(found.primal[0], 7, "copied before");
      refuses(
        "NoSolution",
        /has changed since it was solved; ask for duals before/,
        () => found.duals,
      );
      lp.solve();
      refuses("NoSolution", /the program is failed;/, () => found.duals);
    }
  });

  it("keeps nothing of an optimum that is lost", () => {
    const lp = new Recorder();
    lp.results = [7];
    lp.solve();
    assert.equal(lp.solve(), "failed");
    assert.deepEqual([lp.status, lp.objective, lp.attempts], ["failed", Number.NaN, 3]);
    refuses("NoSolution", /the program is failed;/, () => lp.solution());
    lp.results = ["unbounded", "infeasible"];
    assert.equal(lp.solve(), "infeasible");
    refuses("NoSolution", /the program is infeasible;/, () => lp.solution());
  });

  it("is not optimal where costs overflow", () => {
    const lp = new Recorder();
    lp.results = [Number.POSITIVE_INFINITY, Number.NaN, 5];
    assert.equal(lp.solve(), "optimal");
    assert.deepEqual([lp.objective, lp.attempts], [5, 3]);
    lp.results = [Number.NEGATIVE_INFINITY, Number.NaN, Number.NaN, 5];
    assert.equal(lp.solve(), "failed");
    assert.equal(lp.objective, Number.NaN);
  });

  it("climbs as far as it may and no further than the ladder", () => {
    for (const [most, climbed] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [9, 3],
      [undefined, 3],
    ] as const) {
      const lp = new Recorder(most);
      assert.equal(lp.solve(), "failed");
      assert.equal(lp.attempts, climbed);
      assert.deepEqual(
        lp.calls,
        [0, 1, 2].slice(0, climbed).map((rung) => `attempt ${rung}`),
      );
    }
    const lp = new Recorder(2);
    lp.results = ["unbounded", "unbounded"];
    assert.equal(lp.solve(), "unbounded");
    assert.equal(lp.attempts, 2, "the second look confirms the first");
  });

  it("takes changes from the first row and column to the last, and asks for none that are empty", () => {
    const lp = new Recorder();
    lp.setRowBounds(0, numbers(1, 2, 3), numbers(4, 5, 6));
    lp.setRowBounds(2, one, numbers(2));
    lp.setRowBounds(3, none, none);
    lp.setColumnBounds(0, numbers(1, 2, 3, 4, 5), numbers(1, 2, 3, 4, 5));
    lp.setColumnBounds(4, one, one);
    lp.setColumnBounds(5, none, none);
    lp.setCosts(4, one);
    lp.setCosts(0, numbers(9, 8));
    lp.setCosts(5, none);
    assert.deepEqual(lp.calls, [
      "rows from 0: 1,2,3 to 4,5,6",
      "rows from 2: 1 to 2",
      "columns from 0: 1,2,3,4,5 to 1,2,3,4,5",
      "columns from 4: 1 to 1",
      "costs from 4: 1",
      "costs from 0: 9,8",
    ]);
  });

  it("refuses changes beyond its ends, and tells what does not fit", () => {
    const lp = new Recorder();
    const kind = "InvalidProgram";
    refuses(kind, /^clp: 1 lower and 1 upper values from row 3 on do not fit 3 rows$/, () =>
      lp.setRowBounds(3, one, one),
    );
    refuses(kind, /1 lower and 0 upper values from row 0 on/, () => lp.setRowBounds(0, one, none));
    refuses(kind, /0 lower and 1 upper values from row 0 on/, () => lp.setRowBounds(0, none, one));
    refuses(kind, /from row -1 on/, () => lp.setRowBounds(-1, one, one));
    refuses(kind, /1 lower .* from column 5 on do not fit 5 columns$/, () =>
      lp.setColumnBounds(5, one, one),
    );
    refuses(kind, /2 lower .* from column 4 on/, () => lp.setCosts(4, numbers(1, 2)));
    assert.deepEqual(lp.calls, []);
  });

  it("takes costs below 1e20 and no others", () => {
    const lp = new Recorder();
    const large = 0.99e20;
    lp.setCosts(0, numbers(large, -large));
    assert.deepEqual(lp.calls, [`costs from 0: ${large},${-large}`]);
    refuses(
      "InvalidProgram",
      /a column has the cost 100000000000000000000; .* below 1000000*$/,
      () => lp.setCosts(0, numbers(1e20, 1)),
    );
    refuses("InvalidProgram", /a column has the cost -2e\+30;/, () =>
      lp.setCosts(0, numbers(1, -2e30)),
    );
    refuses("InvalidProgram", /a column has the cost NaN;/, () =>
      lp.setCosts(2, numbers(1, 2, NaN)),
    );
  });

  it("counts the rows that are added", () => {
    const lp = new Recorder();
    lp.addRows(rowData([[0, [0, 0, 0, 0, 1], 1]]));
    lp.addRows(
      rowData([
        [0, [1], 1],
        [0, [], 1],
      ]),
    );
    lp.addRows(rowData([]));
    assert.deepEqual([lp.calls, lp.rows], [["add 1", "add 2"], 6]);
    lp.setRowBounds(5, one, one);
  });

  it("refuses rows whose parts do not fit together", () => {
    const row = rowData([[0, [1, 2], 1]]);
    const faults: readonly Partial<RowData>[] = [
      { upper: none },
      { lower: none },
      { starts: indices(0) },
      { starts: indices(0, 2, 2) },
      { starts: indices(1, 2) },
      { starts: indices(0, 1) },
      { indices: indices(0) },
      { values: one },
    ];
    const lp = new Recorder();
    for (const fault of faults)
      refuses("InvalidProgram", /do not fit together$/, () => lp.addRows({ ...row, ...fault }));
    refuses(
      "InvalidProgram",
      /^clp: rows with 1 lower and 1 upper bounds, 2 starts from 1 to 3, 2 indices and 2 values do not/,
      () => lp.addRows({ ...row, starts: indices(1, 3) }),
    );
    assert.deepEqual([lp.calls, lp.rows], [[], 3]);
  });

  it("refuses rows with columns that do not exist, or without numbers", () => {
    const row = rowData([[0, [1, 2], 1]]);
    const lp = new Recorder();
    const message =
      /^clp: a row has 2 in column 5; columns are 0 to 4, and values must be numbers$/;
    refuses("InvalidProgram", message, () => lp.addRows({ ...row, indices: indices(0, 5) }));
    refuses("InvalidProgram", /a row has 1 in column -1;/, () =>
      lp.addRows({ ...row, indices: indices(-1, 0) }),
    );
    refuses("InvalidProgram", /a row has NaN in column 0;/, () =>
      lp.addRows({ ...row, values: numbers(NaN, 1) }),
    );
    lp.addRows({ ...row, indices: indices(0, 4) });
    assert.equal(lp.rows, 4);
  });

  it("deletes rows from the first to the last", () => {
    const lp = new Recorder();
    lp.deleteRows(indices());
    lp.deleteRows(indices(0));
    lp.deleteRows(indices(1));
    assert.equal(lp.rows, 1);
    const all = new Recorder();
    all.deleteRows(indices(0, 1, 2));
    assert.deepEqual(
      [lp.calls, all.calls, all.rows],
      [["remove 0", "remove 1"], ["remove 0,1,2"], 0],
    );
  });

  it("refuses to delete rows twice, out of order, or beyond its ends", () => {
    const lp = new Recorder();
    const kind = "InvalidProgram";
    refuses(
      kind,
      /^clp: cannot delete row 3 after row -1: indices must increase and be below 3$/,
      () => lp.deleteRows(indices(3)),
    );
    refuses(kind, /cannot delete row -1 after row -1/, () => lp.deleteRows(indices(-1)));
    refuses(kind, /cannot delete row 0 after row 1/, () => lp.deleteRows(indices(1, 0)));
    refuses(kind, /cannot delete row 1 after row 1/, () => lp.deleteRows(indices(0, 1, 1)));
    assert.deepEqual([lp.calls, lp.rows], [[], 3]);
  });

  it("starts from a basis of as many columns and at most as many rows", () => {
    const lp = new Recorder();
    const basis = (columns: number, rows: number) => {
      return { columns: new Uint8Array(columns), rows: new Uint8Array(rows) };
    };
    for (const rows of [0, 2, 3]) lp.startFrom(basis(5, rows));
    assert.deepEqual(lp.calls, ["basis 0", "basis 2", "basis 3"]);
    refuses(
      "InvalidBasis",
      /^clp: a basis of 5 columns and 4 rows does not fit a program of 5 and 3$/,
      () => lp.startFrom(basis(5, 4)),
    );
    refuses("InvalidBasis", /of 4 columns/, () => lp.startFrom(basis(4, 3)));
    refuses("InvalidBasis", /of 6 columns/, () => lp.startFrom(basis(6, 3)));
  });

  it("is released once, and closed for every call after that", () => {
    const lp = new Recorder();
    lp[Symbol.dispose]();
    lp.close();
    assert.deepEqual(lp.calls, ["release"]);
    const calls: (() => unknown)[] = [
      () => lp.solve(),
      () => lp.solution(),
      () => lp.setRowBounds(0, one, one),
      () => lp.setColumnBounds(0, one, one),
      () => lp.setCosts(0, one),
      () => lp.addRows(rowData([])),
      () => lp.deleteRows(indices(0)),
      () => lp.startFrom({ columns: new Uint8Array(5), rows: new Uint8Array(3) }),
    ];
    for (const call of calls) refuses("SolverClosed", /^clp: the program is closed$/, call);
  });

  it("is refused by its solver if its columns do not fit together", async () => {
    const solver = await loadSolver("highs");
    const create = (fault: Partial<LpData>) => () => solver.create({ ...DISPATCH, ...fault });
    const message = (text: RegExp) => ({ kind: "InvalidProgram", message: text });
    assert.throws(create({ columnLower: one }), message(/5 costs, 1 lower and 5 upper bounds/));
    assert.throws(create({ columnUpper: one }), message(/5 costs, 5 lower and 1 upper bounds/));
    assert.throws(
      create({ rows: { ...DISPATCH.rows, indices: DISPATCH.rows.indices.map(() => 5) } }),
      message(/in column 5; columns are 0 to 4/),
    );
  });
});

describe("an error of a solver", () => {
  it("tells its cause, if it has one", () => {
    const cause = new Error("why");
    const caused = new SolverError("SolverCrashed", "highs-wasm", "it ended", cause);
    assert.deepEqual([caused.message, caused.cause], ["highs-wasm: it ended", cause]);
    assert.equal("cause" in new SolverError("SolverClosed", "highs-wasm", "it ended"), false);
  });

  it("about a subproblem tells the number of attempts and what to look for", () => {
    const fields = { solver: "clp", subproblem: "s3", file: "/tmp/s3.lp" } as const;
    const messages = ([1, 2] as const).map(
      (attempts) => new SubproblemFailed({ ...fields, status: "failed", attempts }).message,
    );
    assert.match(
      messages[0] as string,
      /^clp: s3 has no solution after 1 attempt; no attempt found/,
    );
    assert.match(messages[1] as string, /after 2 attempts; .* It is in \/tmp\/s3\.lp\.$/);
    const lost = { ...fields, status: "unbounded", attempts: 2, file: undefined } as const;
    const { message } = new SubproblemFailed({ ...lost, cause: "the disk is full" });
    assert.match(message, /it is unbounded.* It could not be written to disk: the disk is full\.$/);
  });
});
