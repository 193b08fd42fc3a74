/** What a definition says wrong is told at once; what it says right is found in the program and in the tables. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { ValidationError } from "@cobre/core";
import { defineModel, type ScenarioTables, simulate, train } from "@cobre/sddp";

/** What a definition is told, in lines of place and problem. */
function faultsOf(define: () => unknown): string[] {
  try {
    define();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    assert.match(error.message, /^the model has/);
    return error.issues.map(({ entity, field, problem }) =>
      [entity, field, problem].filter((part) => part !== undefined).join(": "),
    );
  }
  return [];
}

describe("faults of a definition", () => {
  it("all of them are told at once, each once", () => {
    const faults = faultsOf(() =>
      defineModel({
        stages: 2,
        state: { stock: Number.NaN },
        openings: () => [1, Number.POSITIVE_INFINITY],
        discount: 0,
        risk: { kind: "cvar", alpha: 0, lambda: 2 },
        futureBound: Number.NaN,
        config: { training: { forward_passes: 0 } },
        build(stage) {
          const { stock } = stage.state;
          const sold = stage.column("sold", { lower: 2, upper: 1, objective: (value) => value });
          stage.column("sold");
          stage.row("none", [[sold, 1]], {});
          stage.row("both", [[sold, 1]], { equals: 1, atMost: 2 });
          stage.row("demand", [[sold, (value) => value]], { atMost: 1 });
          stage.row("demand", [[stock.in, 1]], { atLeast: 3, atMost: 2 });
        },
      }),
    );
    const ofStage = (stage: number) =>
      [
        "column sold: has the bounds 2 and 1",
        "objective of sold: is Infinity in opening 1",
        "column sold: is there twice",
        "row none: has no limit",
        "row both: has equals beside another limit",
        "row demand, sold: its coefficient depends on the opening",
        "row demand, sold: is Infinity in opening 1",
        "row demand: is there twice",
        "row demand: asks for at least more than at most",
      ].map((fault) => `stage ${stage}: ${fault}`);
    assert.deepEqual(faults, [
      "futureBound: is NaN",
      "state.stock: begins with NaN",
      ...ofStage(0),
      ...ofStage(1),
      "discount of stage 0: is 0",
      "discount of stage 1: is 0",
      "risk of stage 0: alpha of cvar is 0, but it must be above 0 and at most 1",
      "risk of stage 1: alpha of cvar is 0, but it must be above 0 and at most 1",
      "training.forward_passes: is 0",
    ]);
  });

  it("stages that cannot be counted, and stages without openings", () => {
    const build = () => {};
    assert.deepEqual(
      faultsOf(() => defineModel({ stages: 1.5, state: {}, build })),
      ["stages: is 1.5"],
    );
    assert.deepEqual(
      faultsOf(() => defineModel({ stages: 1, state: {}, openings: () => [], build })),
      ["openings(0): is empty"],
    );
  });

  it("an objective without a bound needs one for the future", () => {
    const define = (upper?: number, futureBound?: number) =>
      faultsOf(() =>
        defineModel({
          stages: 2,
          sense: "max",
          state: {},
          futureBound,
          build(stage) {
            stage.column("sold", { objective: 1, upper });
          },
        }),
      );
    assert.deepEqual(define(), ["futureBound: is missing, and stage 1 has no bound of its own"]);
    assert.deepEqual(define(5), []);
    assert.deepEqual(define(undefined, 10), []);
  });

  it("a column of another stage", () => {
    const columns: Parameters<
      Parameters<typeof defineModel>[0]["build"]
    >[0]["state"][string]["in"][] = [];
    const faults = faultsOf(() =>
      defineModel({
        stages: 2,
        state: {},
        build(stage) {
          columns.push(stage.column("x", { upper: 1 }));
          stage.row("mixed", [[columns[0], 1]], { atMost: 1 });
        },
      }),
    );
    assert.deepEqual(faults, ["stage 1: row mixed: has a column of another stage"]);
  });
});

describe("the tables of a simulation", () => {
  it("have each column, each dual and the costs of a stage, discounted as was said", async () => {
    using comm = new LocalCommunicator();
    const model = defineModel({
      stages: 2,
      sense: "max",
      state: { stock: { initial: 4, upper: 10 } },
      openings: (stage) => (stage === 0 ? [2] : [3]), // the price
      discount: 0.5,
      config: { training: { stopping_rules: [{ type: "iteration_limit", limit: 3 }] } },
      build(stage) {
        const { stock } = stage.state;
        const sold = stage.column("sold", { objective: (price) => price, upper: 3 });
        stage.row(
          "balance",
          [
            [stock.out, 1],
            [stock.in, -1],
            [sold, 1],
          ],
          { equals: 0 },
        );
        if (stage.isLast) stage.objective(stock.in, 0.25);
      },
    });
    const { bound, policy } = await train(comm, model);
    // Three are sold at 2; one is kept for 3 + 0.25, which count half.
    assert.equal(bound, 6 + 0.5 * 3.25);
    let tables: ScenarioTables = {};
    const { objective, costs } = await simulate(comm, model, policy, {
      scenarios: 1,
      onScenario: (_, found) => {
        tables = found;
      },
    });
    assert.equal(objective, bound);
    assert.deepEqual([...costs], [-bound]);
    const column = (table: string, name: string) =>
      Array.from(tables[table].find((one) => one.name === name)?.data ?? []);
    assert.deepEqual(column("stages", "stage_id"), [0, 1]);
    assert.deepEqual(column("stages", "stock_before"), [4, 1]);
    assert.deepEqual(column("stages", "stock"), [1, 0]);
    assert.deepEqual(column("stages", "sold"), [3, 1]);
    assert.deepEqual(column("stages", "immediate_cost"), [-6, -3.25]);
    assert.deepEqual(column("stages", "future_cost"), [-0.5 * 3.25, 0]);
    assert.deepEqual(column("stages", "discount_factor"), [1, 0.5]);
    // One unit more would be sold at the end of the study, for 3 and not for 2.
    assert.equal(column("duals", "balance")[1], 3);
  });

  it("cost what the objective of their opening says", async () => {
    using comm = new LocalCommunicator();
    const model = defineModel({
      stages: 2,
      state: {},
      openings: (stage) => (stage === 0 ? [1] : [2, 5]),
      config: { training: { stopping_rules: [{ type: "iteration_limit", limit: 2 }] } },
      build(stage) {
        stage.column("bought", { objective: (price) => price, lower: 1 });
      },
    });
    const { bound, policy } = await train(comm, model);
    assert.equal(bound, 1 + 3.5);
    const { costs } = await simulate(comm, model, policy, { scenarios: 30 });
    assert.deepEqual([...new Set(costs)].sort(), [3, 6]);
    const [passed] = policy.history;
    assert.ok(passed?.upperBoundMean === 3 || passed?.upperBoundMean === 6);
  });
});
