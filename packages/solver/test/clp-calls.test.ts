import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { BasisState, type LinearProgram, type LpSolver } from "@cobre/solver";
import { loadClpSolver } from "#internal";
import { DISPATCH, program, rowData } from "./programs.js";
import { solversHere } from "./solvers.js";

type Call = (...args: unknown[]) => unknown;
interface Inside {
  readonly model: unknown;
  readonly rungs: number;
  readonly library: { readonly call: Record<string, Call> };
  attempt(rung: number): string;
}

const inside = (lp: LinearProgram) => lp as unknown as Inside;

/** Writes down the calls of these functions of CLP, without the model, until the test ends. */
class Calls {
  readonly made: unknown[][] = [];
  private readonly originals = new Map<string, Call>();
  private readonly call: Record<string, Call>;

  constructor(solver: LpSolver, ...names: readonly string[]) {
    const lp = solver.create(DISPATCH);
    this.call = inside(lp).library.call;
    lp.close();
    for (const name of names) {
      const original = this.call[name] as Call;
      this.originals.set(name, original);
      this.call[name] = (...args) => {
        this.made.push([name, ...args.slice(1)]);
        return original(...args);
      };
    }
  }

  stop(): void {
    for (const [name, original] of this.originals) this.call[name] = original;
  }
}

let calls: Calls | undefined;
afterEach(() => calls?.stop());

const clp = (await solversHere()).find(({ name }) => name === "clp");

if (clp !== undefined) {
  describe("CLP", () => {
    it("is silent, and frees each model once", () => {
      calls = new Calls(clp, "setLogLevel", "deleteModel");
      const lp = clp.create(DISPATCH);
      lp.close();
      lp.close();
      assert.deepEqual(calls.made, [["setLogLevel", 0], ["deleteModel"]]);
    });

    it("climbs from the basis at hand to safer settings from the slack basis", () => {
      using lp = clp.create(DISPATCH);
      const settings = ["copyinStatus", "scaling", "setPerturbation", "setMaximumIterations"];
      calls = new Calls(clp, ...settings, "dual", "primal", "initialSolve");
      const limit = 1000 + 50 * (5 + 3);
      const lower = 3;
      const basic = 1;
      const slack = Uint8Array.of(...Array(5).fill(lower), ...Array(3).fill(basic));
      const ladder: readonly [number, number, ...unknown[]][] = [
        [3, 100, "dual", 0],
        [2, 50, "dual", 0],
        [3, 100, "primal", 0],
        [0, 50, "primal", 0],
        [2, 50, "initialSolve"],
      ];
      assert.equal(inside(lp).rungs, ladder.length);
      ladder.forEach(([scaling, perturbation, ...algorithm], rung) => {
        (calls as Calls).made.length = 0;
        assert.equal(inside(lp).attempt(rung), "optimal", `rung ${rung}`);
        assert.deepEqual(
          calls?.made,
          [
            ...(rung === 0 ? [] : [["copyinStatus", slack]]),
            ["scaling", scaling],
            ["setPerturbation", perturbation],
            ["setMaximumIterations", limit],
            algorithm,
          ],
          `rung ${rung}`,
        );
      });
    });

    it("gives back the basis that it was given, and has other rows basic", () => {
      using lp = clp.create(DISPATCH);
      const { lower, basic, upper, zero, nonbasic } = BasisState;
      const columns = Uint8Array.of(lower, basic, upper, zero, nonbasic);
      lp.startFrom({ columns, rows: Uint8Array.of(upper, lower) });
      assert.deepEqual(lp.basis(), { columns, rows: Uint8Array.of(upper, lower, basic) });
      // A state that does not exist is at the lower bound.
      lp.startFrom({ columns: new Uint8Array(5).fill(9), rows: Uint8Array.of(9) });
      assert.deepEqual(lp.basis(), {
        columns: new Uint8Array(5).fill(lower),
        rows: Uint8Array.of(lower, basic, basic),
      });
    });

    it("counts the iterations of all attempts", () => {
      using lp = clp.create(DISPATCH);
      lp.solve();
      assert.ok(lp.iterations > 0);
      const { iterations } = lp;
      inside(lp).attempt(2);
      assert.ok(lp.iterations > iterations);
    });

    it("gives back bounds without limit, and a program without columns", () => {
      const inf = Number.POSITIVE_INFINITY;
      using lp = clp.create(program([{ cost: 1, lower: -inf }], [[-inf, [1], inf]]));
      lp.setRowBounds(0, Float64Array.of(-inf), Float64Array.of(5));
      lp.setColumnBounds(0, Float64Array.of(-inf), Float64Array.of(inf));
      const { columnLower, columnUpper, rows } = lp.data();
      const bounds = [columnLower, columnUpper, rows.lower, rows.upper].map(([bound]) => bound);
      assert.deepEqual(bounds, [-inf, inf, -inf, 5]);
      using empty = clp.create(program([], []));
      assert.deepEqual(empty.data(), program([], []));
    });

    it("forgets deleted rows and keeps the bounds of the others", () => {
      using lp = clp.create(DISPATCH);
      lp.deleteRows(Int32Array.of(1));
      lp.addRows(rowData([[1, [0, 1], 2]]));
      const { lower, upper } = lp.data().rows;
      assert.deepEqual(
        [[...lower], [...upper]],
        [
          [200, 7500, 1],
          [200, Number.POSITIVE_INFINITY, 2],
        ],
      );
    });

    it("is closed for its basis and its data, too", () => {
      const lp = clp.create(DISPATCH);
      lp.close();
      assert.throws(() => lp.basis(), { kind: "SolverClosed" });
      assert.throws(() => lp.data(), { kind: "SolverClosed" });
    });
  });
}

describe("CLP that is not there", () => {
  it("is told with the loader's own words", async () => {
    await assert.rejects(loadClpSolver({ COBRE_CLP_LIBRARY: "/nowhere/libClp.so" }), (error) => {
      const { message } = error as Error;
      assert.match(
        message,
        /^clp: no library was found \(\/nowhere\/libClp\.so: \w[^\n]+\)\. Install CLP/,
      );
      assert.doesNotMatch(message, /Error:/);
      return true;
    });
  });

  it("is told for a platform without known names", async () => {
    const platform = Object.getOwnPropertyDescriptor(process, "platform") as PropertyDescriptor;
    Object.defineProperty(process, "platform", { ...platform, value: "aix" });
    try {
      await assert.rejects(loadClpSolver({}), /no library was found \(none is known for aix\)/);
    } finally {
      Object.defineProperty(process, "platform", platform);
    }
  });
});
