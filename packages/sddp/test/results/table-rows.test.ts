/** Which tables a scenario has, what their rows are called, and how its costs are summed. The model has only what tables read of it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NodeGraph } from "@cobre/core";
import { type Model, ScenarioRecord, type StageProblem } from "#internal";

const STAGES = [
  { id: 4, blocks: [{ id: 0 }, { id: 1 }] },
  { id: 6, blocks: [{ id: 7 }] },
];
const CUMULATIVE = Float64Array.of(1, 0.5);
const DISCOUNT = Float64Array.of(0.5, 0.25);

/** A dry and a wet second stage. */
const GRAPH = new NodeGraph(
  [
    { id: 1, stage: 0, children: [1, 2].map((node) => ({ node, probability: 0.5 })) },
    { id: 20, stage: 1, children: [] },
    { id: 21, stage: 1, children: [] },
  ],
  [{ node: 0, probability: 1 }],
);

const entities = (count: number, first: number) =>
  Array.from({ length: count }, (_, i) => ({ id: first + i }));

const NUMBERS = { at: (stage: number, plant: number) => 100 * stage + plant };

/** As many of everything. */
function modelOf(count: number, graph = NodeGraph.chain([4, 6])): Model {
  const states = Array.from({ length: count }, (_, i) => ({ plant: i, ahead: i + 1 }));
  return {
    study: {
      system: {
        hydros: entities(count, 10),
        thermals: entities(count, 20),
        buses: entities(Math.max(1, count), 30),
        lines: entities(count, 40),
        nonControllables: entities(count, 50),
        pumpingStations: entities(count, 60),
        energyContracts: entities(count, 70),
      },
      time: { stages: STAGES, cumulativeDiscount: CUMULATIVE, discount: DISCOUNT },
      // The first plant feeds one bus, the last one several.
      units: entities(count, 0).map((_, plant) =>
        plant === count - 1 ? entities(count, 0).map(({ id }) => ({ plant, bus: id })) : [],
      ),
      energy: {
        equivalent: NUMBERS,
        accumulated: NUMBERS,
        integratedEquivalent: NUMBERS,
        integratedAccumulated: NUMBERS,
      },
      travel: { states },
      commitments: { states },
      generic: {
        constraints: entities(count, 80),
        // A constraint has rows in some blocks of some stages.
        rows: [[], states.map(({ plant }) => ({ constraint: plant, block: 0 }))],
      },
    },
    graph,
    stages: STAGES.length,
    hydros: count,
    lags: count,
  } as unknown as Model;
}

/** The rows of a table, as far as these columns go. */
function rowsOf(record: ScenarioRecord, table: string, names: readonly string[]): number[][] {
  const columns = names.map((name) => record.tables()[table].find((one) => one.name === name));
  const [first] = columns;
  return Array.from(first?.data ?? [], (_, row) =>
    columns.map((column) => column?.data[row] ?? Number.NaN),
  );
}

const byEntity = (ids: readonly number[]) =>
  STAGES.flatMap(({ id, blocks }) =>
    ids.flatMap((entity) => blocks.map((block) => [id, block.id, entity])),
  );
const byBlock = (ids: readonly number[]) =>
  STAGES.flatMap(({ id, blocks }) =>
    blocks.flatMap((block) => ids.map((entity) => [id, block.id, entity])),
  );

describe("the tables of a scenario", () => {
  const ROWS: readonly [table: string, names: readonly string[], rows: number[][]][] = [
    ["costs", ["stage_id"], [[4], [6]]],
    ["hydros", ["stage_id", "block_id", "hydro_id"], byEntity([10, 11])],
    [
      "hydro_bus_generation",
      ["stage_id", "block_id", "hydro_id", "bus_id"],
      [
        [4, 0, 11, 30],
        [4, 1, 11, 30],
        [4, 0, 11, 31],
        [4, 1, 11, 31],
        [6, 7, 11, 30],
        [6, 7, 11, 31],
      ],
    ],
    ["thermals", ["stage_id", "block_id", "thermal_id"], byBlock([20, 21])],
    ["buses", ["stage_id", "block_id", "bus_id"], byBlock([30, 31])],
    ["exchanges", ["stage_id", "block_id", "line_id"], byBlock([40, 41])],
    [
      "inflow_lags",
      ["stage_id", "hydro_id", "lag_index"],
      [4, 6].flatMap((stage) => [10, 11].flatMap((id) => [1, 2].map((lag) => [stage, id, lag]))),
    ],
    [
      "in_transit",
      ["stage_id", "hydro_id", "stages_ahead"],
      [4, 6].flatMap((stage) => [1, 2].map((ahead) => [stage, 9 + ahead, ahead])),
    ],
    [
      "commitments",
      ["stage_id", "thermal_id", "stages_ahead"],
      [4, 6].flatMap((stage) => [1, 2].map((ahead) => [stage, 19 + ahead, ahead])),
    ],
    ["non_controllables", ["stage_id", "block_id", "non_controllable_id"], byBlock([50, 51])],
    ["pumping_stations", ["stage_id", "block_id", "pumping_station_id"], byBlock([60, 61])],
    ["contracts", ["stage_id", "block_id", "contract_id"], byBlock([70, 71])],
    [
      "violations/generic",
      ["stage_id", "block_id", "constraint_id"],
      [
        [6, 7, 80],
        [6, 7, 81],
      ],
    ],
  ];

  it("have a row for each stage, block and entity, with their ids", () => {
    const record = new ScenarioRecord(modelOf(2));
    for (const [table, names, rows] of ROWS) {
      assert.deepEqual(rowsOf(record, table, names), rows, table);
    }
  });

  it("are there if the system has one such thing, and not if it has none", () => {
    const all = ROWS.map(([table]) => table);
    assert.deepEqual(Object.keys(new ScenarioRecord(modelOf(1)).tables()), all);
    assert.deepEqual(Object.keys(new ScenarioRecord(modelOf(0)).tables()), ["costs", "buses"]);
    const { paths } = new ScenarioRecord(modelOf(1, GRAPH)).tables();
    assert.ok(paths !== undefined, "a graph with several nodes in a stage has paths");
  });

  /** What each kind of cost is in this stage, in thousands of $. */
  const KINDS = {
    thermal: 1,
    deficit: 2,
    storage_violation: 4,
    outflow_violation_below: 8,
    outflow_violation_above: 16,
    turbined_violation: 32,
    generation_violation: 64,
    evaporation_violation: 128,
    withdrawal_violation: 256,
    spillage: 512,
  };
  const problemOf = (stage: number, node: number, heard: unknown[]) =>
    ({
      stage,
      node,
      lp: {
        theta: 1,
        kinds: Object.keys(KINDS),
        data: "data",
        costs: () => ({ byKind: Object.values(KINDS), total: 1023 + stage }),
      },
      parts: [{ record: (solved: unknown) => heard.push(solved) }, {}],
      program: { solution: () => ({ primal: Float64Array.of(0, 40), duals: "duals" }) },
      costBehind: () => 7000 * stage,
    }) as unknown as StageProblem;

  it("have the costs and nodes of each stage, and sum them up discounted", () => {
    const record = new ScenarioRecord(modelOf(1, GRAPH));
    const incoming = new Float64Array(1);
    const heard: Record<string, unknown>[] = [];
    record.add(problemOf(0, 0, heard), incoming);
    assert.equal(record.totalCost, 1_023_000);
    record.add(problemOf(1, 2, heard), incoming);
    assert.equal(record.totalCost, 1_023_000 + 0.5 * (1_024_000 + 7000));
    const violations = 504_000;
    const names = ["total_cost", "immediate_cost", "future_cost", "discount_factor"];
    const costs = ["hydro_violation_cost", "thermal_cost", "spillage_cost", "contract_cost"];
    assert.deepEqual(rowsOf(record, "costs", ["stage_id", ...names, ...costs]), [
      [4, 1_023_000 + 20_000, 1_023_000, 20_000, 1, violations, 1000, 512_000, 0],
      [6, 1_024_000 + 10_000, 1_024_000, 10_000, 0.5, violations, 1000, 512_000, 0],
    ]);
    assert.deepEqual(rowsOf(record, "paths", ["stage_id", "node_id"]), [
      [4, 1],
      [6, 21],
    ]);
    // What the elements of a stage are given to fill in.
    assert.equal(heard.length, 2);
    const { primal, duals, data, incoming: state } = heard[1] ?? {};
    assert.deepEqual([primal, duals, data], [Float64Array.of(0, 40), "duals", "data"]);
    assert.equal(state, incoming);
  });
});
