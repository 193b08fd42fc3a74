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

  it("has the columns of its specification, in order", () => {
    const columns = new ResultTable(THERMALS, 0, "by block").columns();
    assert.deepEqual(
      columns.map(({ name, type, isNullable }) => [name, { type, isNullable }]),
      Object.entries(THERMALS).map(([name, { type, isNullable }]) => [name, { type, isNullable }]),
    );
  });
});
