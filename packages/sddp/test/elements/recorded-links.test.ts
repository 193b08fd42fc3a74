/**
 * What the elements that link stages and buses write into the tables of results: commitments, water on its way, units on several buses. The
 * values of the columns are made up, each another one, so that a number that comes from the wrong column or block is seen.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { UnitGroup } from "@cobre/core";
import { COST_SCALE } from "@cobre/sddp";
import { ELEMENTS, ScenarioRecord, StageBuilder, type StageProblem } from "#internal";
import { plant } from "./near.js";
import { smallModel } from "./small-model.js";

const HOURS = [400, 600];
const VOLUME_PER_HOUR = 0.0036;

const units = (id: number, busId: number): UnitGroup => ({
  id,
  name: `units ${id}`,
  busId,
  minTurbinedM3s: 2,
  maxTurbinedM3s: 20,
  minGenerationMw: 3,
  maxGenerationMw: 500,
});

const stages = [0, 1, 2].map((id) => ({
  id,
  start: 30 * id,
  end: 30 * (id + 1),
  blocks: HOURS.map((hours, k) => ({ id: k, name: `${k}`, hours })),
  openings: 1,
  riskMeasure: { kind: "expectation" },
}));

/** Water of plant 5 takes two and a half stages to plant 7, whose units feed two buses. Thermal plant 1 is committed two stages ahead. */
const MODEL = smallModel({
  hours: HOURS,
  buses: [1, 2].map((id) => ({ id, name: `bus ${id}` })),
  hydros: [
    { id: 5, downstreamId: 7, travelTimeHours: 2500 },
    { id: 7, busId: 1, unitGroups: [units(0, 1), units(1, 2)], productivityMwPerM3s: 0.5 },
  ],
  thermals: [{ ...plant(1, 10, 1000), lead: { stages: 2 } }, plant(2, 100, 1000)],
  load: [20, 20],
  more: {
    time: { stages, discounting: { annualRate: 0 } },
    initialConditions: {
      storage: [5, 7].map((hydroId) => ({ hydroId, valueHm3: 50 })),
      pastDefluences: [{ id: 5, start: -200, end: 0, value: 4 }],
      pastCommitments: [
        { id: 1, start: 0, end: 30, value: 8 },
        { id: 1, start: 30, end: 60, value: 5 },
      ],
    },
  },
});

const builder = new StageBuilder(MODEL, 0, undefined);
const parts = ELEMENTS.map((element) => element(builder));
const lp = builder.program.build();
const primal = Float64Array.from(lp.data.cost, (_, j) => 100 + j / 8);
const incoming = Float64Array.from({ length: MODEL.dimension }, (_, i) => 11 + i);
const record = new ScenarioRecord(MODEL);
record.add(
  {
    stage: 0,
    lp,
    parts,
    program: { solution: () => ({ primal, duals: new Float64Array(lp.data.rows.lower.length) }) },
    costBehind: () => 0,
  } as unknown as StageProblem,
  incoming,
);
const tables = record.tables();

/** A column of a table, in the rows that have these ids. */
function cells(table: string, column: string, ids: Readonly<Record<string, number>>): number[] {
  const named = (name: string) => tables[table].find((one) => one.name === name)?.data ?? [];
  return Array.from(named(column)).filter((_, row) =>
    Object.entries(ids).every(([name, id]) => named(name)[row] === id),
  );
}
const value = (family: string, entity: number, block = 0) =>
  lp.family(family).value(primal, entity, block);
const near = (actual: readonly number[], expected: readonly number[]) => {
  assert.equal(actual.length, expected.length);
  actual.forEach((one, i) => {
    assert.ok(
      Math.abs(one - expected[i]) <= 1e-9 * Math.abs(expected[i]),
      `${actual}: ${expected}`,
    );
  });
};

describe("the tables of what links stages", () => {
  const { travel, commitments } = MODEL.study;
  /** The first component of the state that is a commitment: after storages and water. */
  const first = 2 + travel.states.length;

  it("have what a plant is committed to, what it decides, and the cost of that by the hours of blocks", () => {
    assert.equal(commitments.states.length, 2);
    assert.deepEqual(cells("thermals", "is_gnl", { thermal_id: 1 }), [1, 1]);
    const committed = incoming[first];
    assert.deepEqual(cells("thermals", "gnl_committed_mw", { thermal_id: 1 }), [
      committed,
      committed,
    ]);
    const decision = value("commitment", 1);
    assert.deepEqual(cells("thermals", "gnl_decision_mw", { thermal_id: 1 }), [decision, decision]);
    const column = lp.family("commitment").column(1);
    assert.ok(lp.data.cost[column] > 0);
    near(
      cells("thermals", "generation_cost", { thermal_id: 1 }),
      HOURS.map((hours, k) => {
        const generation = lp.family("thermal_generation").column(0, k);
        const own = lp.data.cost[generation] * primal[generation];
        return (own + (lp.data.cost[column] * decision * hours) / 1000) * COST_SCALE;
      }),
    );
  });

  it("have nothing of that for other plants", () => {
    assert.deepEqual(cells("thermals", "is_gnl", { thermal_id: 2 }), [0, 0]);
    for (const column of ["gnl_committed_mw", "gnl_decision_mw"]) {
      const none = [Number.NaN, Number.NaN];
      assert.deepEqual(cells("thermals", column, { thermal_id: 2 }), none);
    }
  });

  it("have commitments at the end of the stage: those made before come nearer", () => {
    assert.deepEqual(cells("commitments", "commitment_mw", { thermal_id: 1 }), [
      incoming[first + 1],
      value("commitment", 1),
    ]);
  });

  it("have the water on its way, and what arrives of it in the inflow", () => {
    const volumes = [0, 1, 2].map((i) => value("in_transit", i));
    assert.deepEqual(cells("in_transit", "volume_hm3", { hydro_id: 7 }), volumes);
    // All that arrives was on its way before: over the whole stage, in its 1000 hours.
    const before = lp.known[lp.stateKnown[2]];
    const arrived = primal[before] / (1000 * VOLUME_PER_HOUR);
    const own = (h: number) => value("inflow", h);
    near(cells("hydros", "inflow_m3s", { hydro_id: 7 }), [own(1) + arrived, own(1) + arrived]);
    near(cells("hydros", "inflow_m3s", { hydro_id: 5 }), [own(0), own(0)]);
  });
});

describe("the tables of units on several buses", () => {
  it("have flow, power and energy for each bus", () => {
    for (const cell of [0, 1]) {
      const ids = { hydro_id: 7, bus_id: cell + 1 };
      const flows = HOURS.map((_, k) => value("cell_turbined", cell, k));
      const of = (column: string) => cells("hydro_bus_generation", column, ids);
      assert.deepEqual(of("turbined_m3s"), flows);
      near(
        of("generation_mw"),
        flows.map((flow) => 0.5 * flow),
      );
      near(
        of("generation_mwh"),
        flows.map((flow, k) => 0.5 * flow * HOURS[k]),
      );
    }
  });

  it("have what is missing of the least flow and generation of all units of a plant", () => {
    for (const [column, family] of [
      ["turbined_slack_m3s", "cell_turbined_violation"],
      ["generation_slack_mw", "cell_generation_violation"],
    ]) {
      const missing = HOURS.map((_, k) => value(family, 0, k) + value(family, 1, k));
      near(cells("hydros", column, { hydro_id: 7 }), missing);
      assert.deepEqual(cells("hydros", column, { hydro_id: 5 }), [0, 0]);
    }
  });
});
