/** How the program of a stage is put together from families, balances and rows. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProgramBuilder, RowBuilder } from "#internal";

describe("rows", () => {
  it("sum the terms of a column and sort them, whoever comes first", () => {
    const rows = new RowBuilder();
    assert.equal(rows.add(-1, 1), 0);
    assert.equal(rows.add(0, 4, [[5, 1]]), 1);
    rows.addTerm(0, 3, 2);
    rows.addTerm(0, 1, 7);
    rows.addTerm(0, 3, 0.5);
    rows.addTerm(0, -1, 99); // a column that is not there
    rows.addTerm(0, 2, 4);
    rows.addTerm(0, 2, -4); // nothing is left of it
    rows.shift(1, 10);
    const { lower, upper, starts, indices, values } = rows.build();
    assert.deepEqual([...lower], [-1, 10]);
    assert.deepEqual([...upper], [1, 14]);
    assert.deepEqual([...starts], [0, 2, 3]);
    assert.deepEqual([...indices], [1, 3, 5]);
    assert.deepEqual([...values], [7, 2.5, 1]);
  });
});

/** Two products in two blocks; what is in stock is the state. */
function shop() {
  const program = new ProgramBuilder<"purchase" | "rent">();
  const stock = program.family("stock", { labels: ["a", "b"], upper: (i) => 10 + i });
  const before = program.state("stock", {
    labels: ["a", "b"],
    outgoing: (i) => stock.column(i),
  });
  const demand = program.knownFamily("demand", ["a", "b"]);
  program.future(0.9, -5);
  const buy = program.family("buy", {
    labels: ["a", "b"],
    blocks: [1, 2],
    cost: (i, k) => 1 + i + 10 * k,
    kind: "purchase",
    isThere: (i, k) => i === 0 || k === 1,
  });
  const rent = program.family("rent", {
    labels: ["a"],
    cost: () => 3,
    kind: "rent",
    lower: () => 1,
  });
  const balance = program.balance("goods", ["a", "b"]);
  for (const i of [0, 1]) {
    balance.add(i, 0, [
      [stock.column(i), 1],
      [before.column(i), -1],
      [demand.column(i), 1],
      [buy.column(i, 0), -1],
      [buy.column(i, 1), -1],
    ]);
  }
  balance.addRight(1, 0, 4);
  program.express("bought", (i) => [
    [buy.column(i, 0), 1],
    [buy.column(i, 1), 1],
  ]);
  program.row("little", 0, 6, program.expression("bought", 0, 0));
  return { program, stock, buy, rent };
}

describe("a program", () => {
  it("has the columns of its families in the order in which they were added", () => {
    const { program } = shop();
    const { data, theta, names } = program.build();
    assert.deepEqual(names.columns, [
      ...["stock_a", "stock_b"],
      ...["stock_before_a", "stock_before_b"],
      ...["demand_a", "demand_b"],
      "future",
      ...["buy_a_1", "buy_a_2", "buy_b_2"],
      "rent_a",
    ]);
    assert.equal(theta, 6);
    assert.deepEqual([...data.cost], [0, 0, 0, 0, 0, 0, 0.9, 1, 11, 12, 3]);
    assert.deepEqual([...data.columnLower], [0, 0, 0, 0, 0, 0, -5, 0, 0, 0, 1]);
    const none = Infinity;
    assert.deepEqual([...data.columnUpper], [10, 11, 0, 0, 0, 0, none, none, none, none, none]);
  });

  it("has the balances first, then the other rows", () => {
    const { data, names } = shop().program.build();
    assert.deepEqual(names.rows, ["goods_a", "goods_b", "little"]);
    assert.deepEqual([...data.rows.lower], [0, 4, 0]);
    assert.deepEqual([...data.rows.upper], [0, 4, 6]);
    assert.deepEqual([...data.rows.starts], [0, 5, 9, 11]);
    assert.deepEqual([...data.rows.indices], [0, 2, 4, 7, 8, 1, 3, 5, 9, 7, 8]);
    assert.deepEqual([...data.rows.values], [1, -1, 1, -1, -1, 1, -1, 1, -1, 1, 1]);
  });

  it("knows its state: where it enters and where it leaves", () => {
    const lp = shop().program.build();
    assert.equal(lp.dimension, 2);
    assert.deepEqual([...lp.outgoing], [0, 1]);
    assert.deepEqual([...lp.known], [2, 3, 4, 5]);
    assert.deepEqual([...lp.stateKnown], [0, 1]);
    assert.deepEqual(lp.knownRuns, [[0, 4]]);
    assert.deepEqual([...lp.isKnown], [0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
    assert.deepEqual(lp.states, [{ name: "stock", labels: ["a", "b"], offset: 0 }]);
  });

  it("may have a second family of state after other known columns", () => {
    const { program, rent } = shop();
    program.state("rented", { labels: ["a"], outgoing: () => rent.column(0) });
    const lp = program.build();
    assert.deepEqual([...lp.outgoing], [0, 1, 10]);
    assert.deepEqual([...lp.known], [2, 3, 4, 5, 11]);
    assert.deepEqual([...lp.stateKnown], [0, 1, 4]);
    assert.deepEqual(lp.knownRuns, [
      [0, 4],
      [4, 5],
    ]);
    assert.deepEqual(lp.states[1], { name: "rented", labels: ["a"], offset: 2 });
  });

  it("sums the costs of a solution by kind, without the future", () => {
    const lp = shop().program.build();
    const primal = Float64Array.from(lp.data.cost, (_, j) => j + 1);
    const { byKind, total } = lp.costs(primal);
    assert.deepEqual(lp.kinds, ["purchase", "rent"]);
    assert.deepEqual([...byKind], [8 + 99 + 120, 33]);
    assert.equal(total, 8 + 99 + 120 + 33);
  });

  it("has families whose entities may lack a column", () => {
    const { buy } = shop();
    assert.deepEqual([buy.column(0, 0), buy.column(1, 0), buy.column(1, 1)], [7, -1, 9]);
    const primal = Float64Array.from({ length: 11 }, (_, j) => j);
    assert.deepEqual([buy.value(primal, 1, 0), buy.value(primal, 1, 1)], [0, 9]);
  });

  it("takes a family for the expression of its name, in every block if it has none", () => {
    const { program } = shop();
    assert.deepEqual(program.expression("stock", 1, 1), [[1, 1]]);
    assert.deepEqual(program.expression("buy", 1, 1), [[9, 1]]);
    assert.deepEqual(program.expression("buy", 1, 0), []);
    assert.deepEqual(program.expression("demand", 0, 0), [[4, 1]]);
  });

  it("says what it does not have", () => {
    const { program } = shop();
    const lp = program.build();
    assert.throws(() => program.expression("sell", 0, 0), /the program has no family sell/);
    assert.throws(() => program.familyOf("sell"), /no family sell/);
    assert.throws(() => program.knownOf("buy"), /no known columns buy/);
    assert.throws(() => program.balanceOf("money"), /no balance of money/);
    assert.throws(() => lp.family("sell"), /no family sell/);
    assert.throws(() => lp.balance("money"), /no balance of money/);
    assert.equal(lp.balance("goods").row(1), 1);
    assert.equal(program.knownOf("demand").known, 2);
  });
});
