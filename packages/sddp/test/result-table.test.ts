/** Tables of results, filled in column by column. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { THERMALS } from "@cobre/io";
import { ResultTable } from "#internal";

const values = (table: ResultTable<typeof THERMALS>, column: string) => [
  ...(table.columns().find(({ name }) => name === column)?.data ?? []),
];

describe("a table of results", () => {
  for (const [order, expected] of [
    ["by block", [0, 10, 20, 1, 11, 21, 100, 110]],
    ["by entity", [0, 1, 10, 11, 20, 21, 100, 110]],
  ] as const) {
    it(`has the rows of each stage ${order}`, () => {
      const table = new ResultTable(THERMALS, 8, order);
      table.begin(3, 2);
      table.set("generation_mw", (plant, block) => 10 * plant + block);
      table.begin(2, 1);
      table.set("generation_mw", (plant) => 100 + 10 * plant);
      assert.deepEqual(values(table, "generation_mw"), expected);
    });
  }

  it("has 0 where nobody filled in a value, or none where that is allowed", () => {
    const table = new ResultTable(THERMALS, 2, "by block");
    table.begin(1, 2);
    table.set("thermal_id", () => 4);
    assert.deepEqual(values(table, "thermal_id"), [4, 4]);
    assert.deepEqual(values(table, "generation_cost"), [0, 0]);
    assert.deepEqual(values(table, "gnl_committed_mw"), [Number.NaN, Number.NaN]);
  });

  it("shares with its copies what they do not fill in, and nothing else", () => {
    const blank = new ResultTable(THERMALS, 2, "by block");
    blank.begin(2, 1);
    blank.set("thermal_id", (plant) => plant);
    blank.set("generation_mw", () => 7);
    const [a, b] = [blank.copy(), blank.copy()];
    a.begin(2, 1);
    a.set("generation_mw", (plant) => 10 * plant);
    b.begin(1, 1);
    b.put("generation_cost", 5);
    const data = (table: typeof a, column: string) =>
      table.columns().find(({ name }) => name === column)?.data;
    assert.equal(data(a, "thermal_id"), data(b, "thermal_id"), "the same array");
    assert.deepEqual(values(a, "generation_mw"), [0, 10]);
    assert.deepEqual(values(b, "generation_mw"), [7, 7]);
    assert.deepEqual(values(b, "generation_cost"), [5, 0]);
    assert.deepEqual(values(blank, "generation_mw"), [7, 7]);
    assert.deepEqual(values(a.copy(), "generation_mw"), [0, 10], "a copy of a copy");
    assert.deepEqual(values(a.copy(), "thermal_id"), [0, 1]);
  });

  it("fills several columns at once", () => {
    const table = new ResultTable(THERMALS, 4, "by block");
    table.begin(2, 2);
    const [mw, mwh] = [table.column("generation_mw"), table.column("generation_mwh")];
    table.each((row, plant, block) => {
      mw[row] = 10 * plant + block;
      mwh[row] = 2 * (mw[row] ?? 0);
    });
    assert.deepEqual(values(table, "generation_mw"), [0, 10, 1, 11]);
    assert.deepEqual(values(table, "generation_mwh"), [0, 20, 2, 22]);
  });

  it("has the columns of its specification, in order", () => {
    const columns = new ResultTable(THERMALS, 0, "by block").columns();
    assert.deepEqual(
      columns.map(({ name, type, isNullable }) => [name, { type, isNullable }]),
      Object.entries(THERMALS).map(([name, { type, isNullable }]) => [name, { type, isNullable }]),
    );
  });
});
