import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  type Basis,
  formatLp,
  type LpData,
  loadSolver,
  SolverError,
  SubproblemFailed,
  solveSubproblem,
} from "@cobre/solver";
import {
  type AttemptResult,
  HighsProgram,
  loadClpSolver,
  RetryingProgram,
  SmallProgram,
} from "#internal";
import { DISPATCH, largeDispatch, program, rowData } from "./programs.js";
import { loadPlain } from "./solvers.js";

/** A solver whose attempts end as written. */
class Scripted extends RetryingProgram {
  readonly solver = "highs-wasm";
  protected readonly rungs = 5;
  readonly tried: number[] = [];
  private readonly script: readonly AttemptResult[];

  constructor(script: readonly AttemptResult[], maxAttempts?: number) {
    super(DISPATCH, maxAttempts === undefined ? {} : { maxAttempts });
    this.script = script;
  }

  protected attempt(rung: number): AttemptResult {
    this.tried.push(rung);
    this.iterations += 10;
    return this.script[rung] ?? "trouble";
  }

  protected readObjective(): number {
    return 7;
  }
  protected readSolution(): Float64Array {
    throw new Error("not scripted");
  }
  protected applyRowBounds(): void {}
  protected applyColumnBounds(): void {}
  protected applyCosts(): void {}
  protected appendRows(): void {}
  protected removeRows(): void {}
  protected applyBasis(): void {}
  protected release(): void {}
  basis(): Basis {
    throw new Error("not scripted");
  }
  data(): LpData {
    return DISPATCH;
  }
}

describe("the ladder of attempts", () => {
  const cases: readonly [AttemptResult[], number | undefined, string, number][] = [
    [["optimal"], undefined, "optimal", 1],
    [["trouble", "optimal"], undefined, "optimal", 2],
    [["limit", "trouble", "limit", "trouble", "optimal"], undefined, "optimal", 5],
    [["trouble", "trouble", "trouble", "trouble", "trouble"], undefined, "failed", 5],
    [["limit", "optimal"], 1, "failed", 1],
    [["infeasible", "optimal"], undefined, "optimal", 2],
    [["infeasible", "infeasible"], undefined, "infeasible", 2],
    [["infeasible"], 1, "infeasible", 1],
    [["unbounded", "trouble", "unbounded"], undefined, "unbounded", 3],
  ];
  for (const [script, maxAttempts, status, attempts] of cases) {
    it(`${script.join(", ")}${maxAttempts ? ` with at most ${maxAttempts}` : ""} is ${status}`, () => {
      const lp = new Scripted(script, maxAttempts);
      assert.equal(lp.solve(), status);
      assert.equal(lp.attempts, attempts);
      assert.equal(lp.iterations, 10 * attempts);
      assert.deepEqual(lp.tried, [0, 1, 2, 3, 4].slice(0, attempts));
      assert.equal(lp.objective, status === "optimal" ? 7 : Number.NaN);
    });
  }
});

function withFolder(test: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "cobre-solver-"));
  try {
    test(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("a subproblem without a solution", () => {
  it("is written as an LP file and named in the error", async () => {
    const solver = await loadSolver();
    withFolder((folder) => {
      const lp = solver.create(DISPATCH);
      lp.setColumnBounds(1, Float64Array.of(0), Float64Array.of(1));
      lp.setColumnBounds(3, Float64Array.of(0), Float64Array.of(2));
      const directory = join(folder, "failed/here");
      const subproblem = () => ({
        name: "stage 3, opening 7",
        directory,
        names: { columns: ["storage 0", "turbined_0"], rows: ["water/0"] },
      });
      assert.throws(
        () => solveSubproblem(solver.name, lp, subproblem),
        (error) => {
          assert.ok(error instanceof SubproblemFailed);
          assert.equal(error.kind, "SubproblemFailed");
          assert.equal(error.status, "infeasible");
          assert.equal(error.attempts, 2);
          assert.equal(error.subproblem, "stage 3, opening 7");
          assert.equal(error.file, join(directory, "stage_3__opening_7.lp"));
          assert.match(
            error.message,
            /stage 3, opening 7 .* 2 attempts; it is infeasible.* is in .*\.lp/,
          );
          const text = readFileSync(error.file, "utf8");
          assert.match(text, /water_0:\n {2}\+ 1 storage_0 \+ 1 turbined_0 \+ 1 x2\n {2}= 200/);
          assert.match(text, /0 <= x3 <= 2/);
          return true;
        },
      );
      lp.close();
    });
  });

  it("is named also when the disk takes no file", async () => {
    const solver = await loadSolver();
    withFolder((folder) => {
      const blocked = join(folder, "file");
      writeFileSync(blocked, "");
      const lp = solver.create(program([{ cost: -1 }], []));
      assert.throws(
        () => solveSubproblem(solver.name, lp, () => ({ name: "s", directory: blocked })),
        (error) => {
          assert.ok(error instanceof SubproblemFailed && error.file === undefined);
          assert.equal(error.status, "unbounded");
          assert.match(error.message, /could not be written to disk: E/);
          return true;
        },
      );
      assert.ok(existsSync(blocked));
      lp.close();
    });
  });

  it("is none of the others", async () => {
    const solver = await loadSolver();
    const lp = solver.create(DISPATCH);
    solveSubproblem(solver.name, lp, () => assert.fail("nothing to name"));
    assert.equal(lp.status, "optimal");
    lp.close();
  });
});

describe("the LP file", () => {
  const inf = Number.POSITIVE_INFINITY;
  const all: LpData = {
    ...program(
      [
        { cost: 1.5 },
        { cost: -2, lower: -inf, upper: 7 },
        { cost: 2.0000001, lower: -inf },
        { cost: 0, lower: 3, upper: 3 },
      ],
      [
        [-4, [1, 1, 0, 1], 9],
        [-inf, [0, 1, -0.1, 0], 3],
        [2, [1, 0, 1, 0], inf],
      ],
    ),
  };
  for (const [what, data] of [
    ["all kinds of bounds", all],
    ["a real one", largeDispatch(5, 7, 2)],
  ] as const) {
    it(`of ${what} is read back as the same program`, async () => {
      const solver = await loadSolver();
      const lp = solver.create(data);
      assert.equal(lp.solve(), "optimal");
      if (data === all)
        assert.ok((lp.solution().primal[2] as number) < 0, "the free column is free");
      const { default: loadHighs } = (await import("highs")) as unknown as {
        default(): Promise<{ solve(text: string): { Status: string; ObjectiveValue: number } }>;
      };
      const result = (await loadHighs()).solve(formatLp(lp.data()));
      assert.equal(result.Status, "Optimal");
      assert.ok(
        Math.abs(result.ObjectiveValue - lp.objective) <=
          1e-9 * Math.max(1, Math.abs(lp.objective)),
      );
      lp.close();
    });
  }

  it("is complete also without costs or terms", () => {
    const text = formatLp(program([{ cost: 0 }], [[0, [0], 1]]));
    assert.match(text, /obj:\n {2}0 x0/);
    assert.match(text, /r0:\n {2}0 x0\n {2}>= 0\n r0_upper:\n {2}0 x0\n {2}<= 1/);
    assert.equal(rowData([[0, [0], 1]]).indices.length, 0);
  });
});

describe("loading", () => {
  it("says what to install when CLP is not there", async () => {
    await assert.rejects(loadClpSolver({ COBRE_CLP_LIBRARY: "/nowhere/libClp.so" }), (error) => {
      assert.ok(error instanceof SolverError && error.kind === "SolverNotAvailable");
      assert.match(error.message, /\/nowhere\/libClp\.so.*coinor-libclp1/s);
      return true;
    });
  });

  it("tells version and hash of HiGHS, and the embedded simplex", async () => {
    const solver = await loadSolver();
    assert.equal(solver.name, "highs-wasm");
    assert.match(solver.fingerprint, /^highs 1\.15\.1 wasm sha256 [0-9a-f]{64} simplex 1$/);
    const { fingerprint } = await loadPlain("highs-wasm");
    assert.equal(`${fingerprint} simplex 1`, solver.fingerprint);
  });

  it("refuses a COBRE_SIMPLEX that it does not know", async () => {
    process.env.COBRE_SIMPLEX = "clp";
    try {
      await assert.rejects(loadSolver("highs"), {
        kind: "InvalidSetting",
        message: "highs-wasm: COBRE_SIMPLEX is 'clp'; it must be embedded or solver",
      });
    } finally {
      delete process.env.COBRE_SIMPLEX;
    }
  });

  it("leaves large programs to HiGHS, and those whose costs change", async () => {
    const solver = await loadSolver();
    using changing = solver.create(DISPATCH, { changesCosts: true });
    assert.ok(changing instanceof HighsProgram);
    using small = solver.create(largeDispatch(99, 0, 1));
    using large = solver.create(largeDispatch(100, 0, 1));
    assert.ok(small instanceof SmallProgram);
    assert.ok(large instanceof HighsProgram);
    assert.equal(small.rows, 100);
    large.solve();
    small.solve();
    assert.deepEqual([small.status, large.status], ["optimal", "optimal"]);
  });
});
