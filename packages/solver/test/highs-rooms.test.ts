import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { BasisState, type LinearProgram } from "@cobre/solver";
import { program, rowData } from "./programs.js";
import { loadPlain } from "./solvers.js";

type Call = (...args: number[]) => number;

const solver = await loadPlain("highs-wasm");
const columns = [{ cost: 1 }, { cost: 1 }];
const { call } = (
  solver.create(program(columns, [])) as unknown as {
    library: { call: Record<string, Call> };
  }
).library;

const originals = new Map<string, Call>();
function watch(name: string, before: (...args: number[]) => void): void {
  const original = call[name] as Call;
  originals.set(name, original);
  call[name] = (...args) => {
    before(...args);
    return original(...args);
  };
}

afterEach(() => {
  for (const [name, original] of originals) call[name] = original;
  originals.clear();
});

/** A program with this many rows, all but the first added one by one. */
function withRows(rows: number): LinearProgram {
  const row = () => [0, [1, 1], 9] as const;
  const lp = solver.create(program(columns, rows === 0 ? [] : [row()]));
  for (let i = 1; i < rows; i++) lp.addRows(rowData([row()]));
  return lp;
}

describe("the memory of a program in HiGHS", () => {
  it("has room for 16 rows from the beginning, and then for twice as many", () => {
    const rooms = [0, 1, 16, 17, 32, 33].map((rows) => {
      const sizes: number[] = [];
      watch("_malloc", (bytes) => sizes.push(bytes as number));
      const lp = withRows(rows);
      lp.close();
      for (const [name, original] of originals) call[name] = original;
      // What a row needs: two doubles and an integer.
      return sizes
        .filter((bytes) => bytes >= 16 * 20 && bytes % 20 === 0)
        .map((bytes) => bytes / 20);
    });
    assert.deepEqual(rooms, [[16], [16], [16], [16, 32], [16, 32], [16, 32, 64]]);
  });

  it("keeps nothing of earlier solves when it starts from a basis", () => {
    const lp = withRows(3);
    lp.solve();
    const basis = lp.basis();
    const calls: string[] = [];
    watch("_Highs_clearSolver", () => calls.push("forget"));
    watch("_Highs_setBasis", () => calls.push("take the basis"));
    lp.startFrom(basis);
    lp.close();
    assert.deepEqual(calls, ["forget", "take the basis"]);
  });

  it("gives back the basis that it was given, to the last row", () => {
    const lp = withRows(3);
    const { lower, basic, upper } = BasisState;
    for (const states of [
      [upper, basic, basic, basic, lower],
      [basic, lower, upper, basic, basic],
      [lower, basic, upper, basic, basic],
    ]) {
      const basis = {
        columns: Uint8Array.from(states.slice(0, 2)),
        rows: Uint8Array.from(states.slice(2)),
      };
      lp.startFrom(basis);
      assert.deepEqual(lp.basis(), basis);
    }
    lp.close();
  });

  it("is where HiGHS writes the number of iterations", () => {
    const areas: { from: number; to: number }[] = [];
    const malloc = call._malloc as Call;
    originals.set("_malloc", malloc);
    call._malloc = (bytes) => {
      const from = malloc(bytes as number);
      areas.push({ from, to: from + (bytes as number) });
      return from;
    };
    const written: number[] = [];
    watch("_Highs_getIntInfoValue", (...args) => written.push(args[2] as number));
    const lp = withRows(1);
    lp.solve();
    lp.close();
    assert.equal(written.length, 1);
    for (const at of written) assert.ok(areas.some(({ from, to }) => from <= at && at + 4 <= to));
  });
});

describe("a program in HiGHS", () => {
  it("is passed row by row, to be minimised, without a constant", () => {
    let passed: number[] = [];
    watch("_Highs_passLp", (...args) => {
      passed = args.slice(1, 7);
    });
    withRows(1).close();
    const [rowWise, minimise, constant] = [2, 1, 0];
    assert.deepEqual(passed, [2, 1, 2, rowWise, minimise, constant]);
  });
});
