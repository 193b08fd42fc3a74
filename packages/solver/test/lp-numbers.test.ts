import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatLp, loadSolver } from "@cobre/solver";
import { program, rowData } from "./programs.js";

describe("the numbers of an LP file", () => {
  it("include a single cost, and a coefficient of 0 that is given", () => {
    const data = program([{ cost: 2 }, { cost: 0 }], [[1, [1, 1], 1]]);
    const rows = { ...data.rows, values: Float64Array.of(0, -3) };
    const lines = formatLp({ ...data, rows }).split("\n");
    assert.deepEqual(lines.slice(2, 7), [
      " obj:",
      "  + 2 x0",
      "Subject To",
      " r0:",
      "  + 0 x0 - 3 x1",
    ]);
  });
});

describe("rows that do not fit together", () => {
  it("are told from their first start to their last", async () => {
    using lp = (await loadSolver()).create(program([{ cost: 1 }], []));
    const rows = rowData([
      [0, [1], 1],
      [0, [1], 1],
    ]);
    assert.throws(() => lp.addRows({ ...rows, starts: Int32Array.of(1, 2, 4) }), {
      kind: "InvalidProgram",
      message: /rows with 2 lower and 2 upper bounds, 3 starts from 1 to 4, 2 indices and 2 values/,
    });
  });
});
