import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { type LinearProgram, type LpOptions, SolverError } from "@cobre/solver";
import { loadWasmHighs } from "#internal";
import { DISPATCH, program, rowData } from "./programs.js";
import { loadPlain } from "./solvers.js";

type Call = (...args: number[]) => number;

/** What is inside of a program, and functions of HiGHS that the program itself does not call. */
interface Inside {
  readonly highs: number;
  readonly rungs: number;
  attempt(rung: number): string;
  readonly library: {
    readonly call: Record<string, Call>;
    readonly integers: Int32Array;
    readonly doubles: Float64Array;
    text(value: string): number;
    allocate(bytes: number): number;
  };
}

const solver = await loadPlain("highs-wasm");
const inside = (lp: LinearProgram) => lp as unknown as Inside;
const { library } = inside(solver.create(DISPATCH));
const { call } = library;

const replaced = new Map<string, Call>();

/** Replaces a function of the module until the test ends. */
function replace(name: string, by: (original: Call) => Call): void {
  const original = call[name] as Call;
  if (!replaced.has(name)) replaced.set(name, original);
  call[name] = by(original);
}

afterEach(() => {
  for (const [name, original] of replaced) call[name] = original;
  replaced.clear();
});

const bytes = () => new Uint8Array(library.integers.buffer);

/** The value of an option, read from HiGHS; `like` has its type. */
function option(lp: LinearProgram, name: string, like: unknown): unknown {
  const at = library.allocate(1024);
  const read = (kind: string) =>
    call[`_Highs_get${kind}OptionValue`]?.(inside(lp).highs, library.text(name), at);
  try {
    if (typeof like === "string") {
      read("String");
      return new TextDecoder().decode(bytes().slice(at, bytes().indexOf(0, at)));
    }
    if (name.endsWith("tolerance")) {
      read("Double");
      return library.doubles[at / 8];
    }
    read(typeof like === "boolean" ? "Bool" : "Int");
    const value = library.integers[at / 4];
    return typeof like === "boolean" ? value === 1 : value;
  } finally {
    call._free?.(at);
  }
}

function options<T extends object>(lp: LinearProgram, like: T): T {
  return Object.fromEntries(
    Object.entries(like).map(([name, value]) => [name, option(lp, name, value)]),
  ) as T;
}

function using(test: (lp: LinearProgram) => void, settings: LpOptions = {}): () => void {
  return () => {
    const lp = solver.create(DISPATCH, settings);
    try {
      test(lp);
    } finally {
      lp.close();
    }
  };
}

/** One thread, one seed, no presolve and no scaling: what the same bits on all ranks rest on. */
const FIRST = {
  output_flag: false,
  threads: 1,
  parallel: "off",
  random_seed: 0,
  solver: "simplex",
  presolve: "off",
  simplex_strategy: 1,
  simplex_scale_strategy: 0,
  simplex_dual_edge_weight_strategy: -1,
  primal_feasibility_tolerance: 1e-7,
  dual_feasibility_tolerance: 1e-7,
};

describe("HiGHS", () => {
  it(
    "solves with the settings on which the same bits rest",
    using((lp) => {
      assert.deepEqual(options(lp, FIRST), FIRST);
      lp.solve();
      const limit = 1000 + 50 * (5 + 3);
      const limits = { simplex_iteration_limit: limit, ipm_iteration_limit: limit };
      assert.deepEqual(options(lp, { ...FIRST, ...limits }), { ...FIRST, ...limits });
      lp.addRows(rowData([[0, [1], 300]]));
      lp.solve();
      assert.equal(option(lp, "simplex_iteration_limit", 0), limit + 50);
    }),
  );

  for (const [edgeWeights, strategy] of [
    ["choose", -1],
    ["devex", 1],
    ["steepest", 2],
  ] as const) {
    it(
      `prices by ${edgeWeights} if told so`,
      using((lp) => assert.equal(option(lp, "simplex_dual_edge_weight_strategy", 0), strategy), {
        edgeWeights,
      }),
    );
  }

  it(
    "climbs from the basis at hand to safer settings without one, and puts all of them back",
    using((lp) => {
      const ladder = [
        {},
        { presolve: "on", simplex_scale_strategy: 2 },
        { simplex_strategy: 4, simplex_scale_strategy: 2 },
        { presolve: "on", solver: "ipm", simplex_scale_strategy: 4 },
        {
          simplex_scale_strategy: 2,
          primal_feasibility_tolerance: 1e-6,
          dual_feasibility_tolerance: 1e-6,
        },
      ];
      assert.equal(inside(lp).rungs, ladder.length);
      const calls: string[] = [];
      let during: object = {};
      replace("_Highs_clearSolver", (original) => (highs) => {
        calls.push("forget");
        return original(highs as number);
      });
      replace("_Highs_run", (original) => (highs) => {
        calls.push("run");
        during = options(lp, FIRST);
        return original(highs as number);
      });
      ladder.forEach((changes, rung) => {
        calls.length = 0;
        assert.equal(inside(lp).attempt(rung), "optimal");
        assert.deepEqual(during, { ...FIRST, ...changes }, `rung ${rung}`);
        assert.deepEqual(options(lp, FIRST), FIRST, `after rung ${rung}`);
        assert.deepEqual(calls, rung === 0 ? ["run"] : ["forget", "run"]);
      });
    }),
  );

  it(
    "sets no option for a solve like the last one",
    using((lp) => {
      lp.solve();
      replace("_Highs_setIntOptionValue", () => () => assert.fail("an option was set"));
      assert.equal(lp.solve(), "optimal");
    }),
  );

  it("frees what it allocated, once, and writes nowhere else", () => {
    const guard = 64;
    const pattern = 0xa5;
    const sizes = new Map<number, number>();
    const programs = new Set<number>();
    const isIntact = (from: number, length: number) =>
      bytes()
        .subarray(from, from + length)
        .every((byte) => byte === pattern);
    replace("_malloc", (original) => (count) => {
      const size = count as number;
      const address = original(size + 2 * guard) + guard;
      sizes.set(address, size);
      bytes().fill(pattern, address - guard, address);
      bytes().fill(pattern, address + size, address + size + guard);
      return address;
    });
    replace("_free", (original) => (address) => {
      const at = address as number;
      const size = sizes.get(at);
      assert.ok(size !== undefined, "nobody allocated this");
      assert.ok(
        isIntact(at - guard, guard) && isIntact(at + size, guard),
        "written beyond the end",
      );
      sizes.delete(at);
      return original(at - guard);
    });
    replace("_Highs_create", (original) => () => {
      const highs = original();
      programs.add(highs);
      return highs;
    });
    replace("_Highs_destroy", (original) => (highs) => {
      assert.ok(programs.delete(highs as number));
      return original(highs as number);
    });
    const live = () => [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const work = () => {
      const lp = solver.create(DISPATCH);
      const before = live();
      for (let rows = 4; rows <= 40; rows++) lp.addRows(rowData([[0, [1], 300 + rows]]));
      const first = Float64Array.from({ length: 40 }, () => -1e6);
      const last = Float64Array.from({ length: 40 }, () => 1e6);
      lp.solve();
      Object.values(lp.solution());
      lp.startFrom(lp.basis());
      lp.solve();
      lp.setRowBounds(0, first, last);
      lp.setColumnBounds(0, first.subarray(0, 5), last.subarray(0, 5));
      lp.setCosts(0, last.subarray(0, 5));
      lp.data();
      lp.deleteRows(Int32Array.of(3, 5, 39));
      lp.solve();
      const grown = live() - before;
      lp.close();
      return grown;
    };
    work();
    const names = sizes.size;
    // Room for 16 rows at first, then for 32 and 64, with 20 bytes for each.
    assert.equal(work(), (64 - 16) * 20);
    solver.create(program([], [])).close();
    assert.throws(() => solver.create(program([{ cost: 1, lower: 2, upper: Number.NaN }], [])));
    assert.deepEqual([sizes.size - names, programs.size], [0, 0]);
  });

  it(
    "copies only what is asked for of a solution",
    using((lp) => {
      const wanted: boolean[][] = [];
      replace("_Highs_getSolution", (original) => (...args) => {
        wanted.push(args.slice(1).map((address) => address !== 0));
        return original(...args);
      });
      lp.solve();
      assert.deepEqual(wanted, []);
      const { duals, primal } = lp.solution();
      assert.deepEqual([duals.length, primal.length], [3, 5]);
      assert.equal(lp.solution().primal, primal);
      assert.deepEqual(wanted, [
        [false, false, false, true],
        [true, false, false, false],
      ]);
    }),
  );

  it(
    "names the call that was refused",
    using((lp) => {
      const one = Float64Array.of(1);
      const calls: readonly [string, string, () => unknown][] = [
        ["_Highs_changeRowsBoundsByRange", "changeRowsBounds", () => lp.setRowBounds(0, one, one)],
        [
          "_Highs_changeColsBoundsByRange",
          "changeColsBounds",
          () => lp.setColumnBounds(0, one, one),
        ],
        ["_Highs_changeColsCostByRange", "changeColsCost", () => lp.setCosts(0, one)],
        ["_Highs_addRows", "addRows", () => lp.addRows(rowData([[0, [1], 1]]))],
        ["_Highs_deleteRowsBySet", "deleteRows", () => lp.deleteRows(Int32Array.of(0))],
        ["_Highs_getBasis", "getBasis", () => lp.basis()],
        ["_Highs_passLp", "passLp", () => solver.create(DISPATCH)],
      ];
      for (const [name, told, body] of calls) {
        replace(name, () => () => -1);
        assert.throws(body, {
          kind: "InvalidProgram",
          message: new RegExp(`^highs-wasm: ${told} was re`),
        });
      }
      assert.equal(lp.rows, 3);
    }),
  );

  it(
    "takes warnings for no refusal",
    using((lp) => {
      const warning = 1;
      replace("_Highs_changeColsCostByRange", () => () => warning);
      replace("_Highs_setBasis", () => () => warning);
      lp.setCosts(0, Float64Array.of(1));
      lp.startFrom({ columns: new Uint8Array(5), rows: new Uint8Array(3) });
    }),
  );

  it(
    "refuses a basis with states that do not exist",
    using((lp) => {
      const unknown = { columns: new Uint8Array(5).fill(9), rows: new Uint8Array(3) };
      assert.throws(() => lp.startFrom(unknown), { kind: "InvalidBasis" });
    }),
  );

  it(
    "says that it crashed, and why",
    using((lp) => {
      const abort = new Error("unreachable");
      replace("_Highs_run", () => () => {
        throw abort;
      });
      assert.throws(
        () => lp.solve(),
        (error) => {
          assert.ok(error instanceof SolverError && error.kind === "SolverCrashed");
          assert.equal(error.cause, abort);
          return true;
        },
      );
      replace("_malloc", () => () => 0);
      const message =
        /no memory for 108 more bytes: the WebAssembly module has \d+ MiB of at most 2 GiB\. Use highs-native/;
      assert.throws(() => solver.create(DISPATCH), { kind: "SolverCrashed", message });
    }),
  );

  it("says why it cannot be loaded", async () => {
    const { WebAssembly: wasm } = globalThis as unknown as {
      WebAssembly: { compile(): Promise<unknown> };
    };
    const { compile } = wasm;
    try {
      for (const reason of [new Error("no room"), "no room"]) {
        wasm.compile = () => Promise.reject(reason);
        await assert.rejects(loadWasmHighs(), {
          kind: "SolverNotAvailable",
          message: /^highs-wasm: the package highs cannot be used: no room\. Install/,
        });
      }
    } finally {
      wasm.compile = compile;
    }
  });

  it("is loaded once", async () => {
    assert.equal(await loadPlain("highs-wasm"), solver);
    assert.equal(await loadPlain("highs-wasm"), solver);
  });

  it("is closed for its basis and its data, too", () => {
    const lp = solver.create(DISPATCH);
    lp.close();
    assert.throws(() => lp.basis(), { kind: "SolverClosed" });
    assert.throws(() => lp.data(), { kind: "SolverClosed" });
  });
});
