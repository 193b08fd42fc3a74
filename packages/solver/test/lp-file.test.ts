import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatLp } from "@cobre/solver";
import { program } from "./programs.js";

const INF = Number.POSITIVE_INFINITY;

describe("the text of an LP file", () => {
  it("has costs, rows and bounds in the words of the format", () => {
    const data = program(
      [
        { cost: 1.5 },
        { cost: -0.25, lower: -INF, upper: 7 },
        { cost: 1, lower: -INF },
        { cost: 0, lower: 3, upper: 3 },
        { cost: 1e-300, lower: 1 },
        { cost: 0, lower: -2, upper: 2 },
        { cost: 1, lower: 0, upper: 9 },
        { cost: 1 },
      ],
      [
        [4, [1, -1], 4],
        [-4, [0.5], 9],
        [-INF, [0, 1], 3],
        [2, [1, 1, 1, 1, 1, 1, 1, 1], INF],
        [-INF, [1], INF],
        [0, [], 0],
      ],
    );
    const names = {
      columns: ["storage 0", "e1", "3rd", "_x"],
      rows: ["water/0", "E", "load"],
    };
    assert.deepEqual(formatLp(data, names).split("\n"), [
      "\\ Written by Cobre for TypeScript",
      "Minimize",
      " obj:",
      "  + 1.5 storage_0 - 0.25 x_e1 + 1 x_3rd + 1e-300 x4 + 1 x6 + 1 x7",
      "Subject To",
      " water_0:",
      "  + 1 storage_0 - 1 x_e1",
      "  = 4",
      " r_E:",
      "  + 0.5 storage_0",
      "  >= -4",
      " r_E_upper:",
      "  + 0.5 storage_0",
      "  <= 9",
      " load:",
      "  + 1 x_e1",
      "  <= 3",
      " r3:",
      "  + 1 storage_0 + 1 x_e1 + 1 x_3rd + 1 _x + 1 x4 + 1 x5",
      "  + 1 x6 + 1 x7",
      "  >= 2",
      " r5:",
      "  0 storage_0",
      "  = 0",
      "Bounds",
      " -inf <= x_e1 <= 7",
      " x_3rd free",
      " _x = 3",
      " x4 >= 1",
      " -2 <= x5 <= 2",
      " 0 <= x6 <= 9",
      "End",
      "",
    ]);
  });

  it("has a cost of 0 where there is none", () => {
    const lines = formatLp(program([{ cost: 0 }, { cost: 0 }], [])).split("\n");
    assert.deepEqual(lines.slice(1), [
      "Minimize",
      " obj:",
      "  0 x0",
      "Subject To",
      "Bounds",
      "End",
      "",
    ]);
  });
});
