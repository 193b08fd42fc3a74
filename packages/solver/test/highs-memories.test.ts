/** Programs of HiGHS in WebAssembly in several modules, and modules that are full. */
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { type LinearProgram, type LpSolver, SolverError } from "@cobre/solver";
import { HighsProgram, loadWasmHighs } from "#internal";
import { largeDispatch } from "./programs.js";
import { loadPlain } from "./solvers.js";

const solver = await loadPlain("highs-wasm");
const data = largeDispatch(16, 80, 11);

const memoryOf = (lp: LinearProgram) =>
  (lp as unknown as { library: { doubles: Float64Array } }).library.doubles.buffer;

async function withMemories(count: number): Promise<LpSolver> {
  const { withMemories: more } = solver;
  assert.ok(more !== undefined);
  return more(count);
}

describe("a solver with several memories", () => {
  it("deals its programs among them in turn", async () => {
    const three = await withMemories(3);
    const programs = Array.from({ length: 6 }, () => three.create(data));
    const memories = programs.map(memoryOf);
    assert.equal(new Set(memories).size, 3);
    assert.deepEqual(memories.slice(3), memories.slice(0, 3));
    assert.equal(three.fingerprint, solver.fingerprint);
    assert.deepEqual([three.name, three.version], [solver.name, solver.version]);
    for (const lp of programs) lp.close();
  });

  it("gives the same bits in each", async () => {
    const solutions = [...Array(4)].map(async () => {
      using lp = (await withMemories(4)).create(data);
      lp.solve();
      return { objective: lp.objective, ...lp.solution(), basis: lp.basis() };
    });
    const [first, ...others] = await Promise.all(solutions);
    for (const other of others) assert.deepEqual(other, first);
  });

  it("is loaded once for each number, and is the solver itself for one", async () => {
    assert.equal(await withMemories(1), solver);
    assert.equal(await withMemories(3), await withMemories(3));
  });
});

describe("a module that is full", () => {
  const memory = (globalThis as unknown as { WebAssembly: { Memory: { prototype: object } } })
    .WebAssembly.Memory.prototype as { grow(pages: number): number };
  const { grow } = memory;
  afterEach(() => {
    memory.grow = grow;
  });

  it("says how large it is, and which solver has no such limit", async () => {
    const library = await loadWasmHighs();
    memory.grow = () => {
      throw new RangeError("no more pages");
    };
    const fill = () => {
      for (let seed = 0; seed < 1000; seed++) {
        const lp = new HighsProgram(library, largeDispatch(30, 300, seed), {});
        lp.solve();
      }
    };
    assert.throws(fill, (error) => {
      assert.ok(error instanceof SolverError, String(error));
      assert.equal(error.kind, "SolverCrashed");
      assert.match(
        error.message,
        /there is no more memory: the WebAssembly module has \d+ MiB of at most 2 GiB\. Use highs-native/,
      );
      return true;
    });
  });
});
