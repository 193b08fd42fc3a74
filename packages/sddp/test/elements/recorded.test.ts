/**
 * What each element writes into the tables of results. The values of the columns are made up, each another one, so that a number that comes
 * from the wrong column or block is seen.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { COST_SCALE } from "@cobre/sddp";
import { ELEMENTS, ScenarioRecord, StageBuilder, type StageProblem } from "#internal";
import { plant } from "./near.js";
import { smallModel } from "./small-model.js";

const HOURS = [100, 250];
const constraint = { id: 1, name: "sum", slackPenalty: 40 };

/** Two buses, two plants in a cascade, and one of everything else. */
const MODEL = smallModel({
  hours: HOURS,
  season: 0,
  method: "penalty",
  buses: [
    { id: 1, name: "north" },
    {
      id: 2,
      name: "south",
      deficitSegments: [
        { depthMw: 4, costPerMwh: 100 },
        { depthMw: Number.POSITIVE_INFINITY, costPerMwh: 500 },
      ],
    },
  ],
  load: [30, 70],
  hydros: [
    {
      id: 3,
      minStorageHm3: 20,
      maxTurbinedM3s: 500,
      minTurbinedM3s: 3,
      minOutflowM3s: 4,
      maxOutflowM3s: 900,
      minGenerationMw: 2,
      productivityMwPerM3s: 0.8,
      evaporation: { coefficientsMm: new Array(12).fill(36) },
    },
    { id: 4, downstreamId: 3, maxTurbinedM3s: 400, diversion: { downstreamId: 3, maxFlowM3s: 5 } },
  ],
  storage: [10, 60],
  hydroGeometry: [{ hydroId: 3, volumeHm3: 0, heightM: 0, areaKm2: 1 }],
  hydroBounds: [{ id: 3, stageId: 0, values: { waterWithdrawalM3s: 5 } }],
  thermals: [plant(7, 50, 1000), plant(8, 60, 2000)],
  lines: [
    {
      id: 5,
      name: "l",
      sourceBusId: 1,
      targetBusId: 2,
      directMw: 2000,
      reverseMw: 900,
      lossesPercent: 0.5,
    },
    { id: 6, name: "m", sourceBusId: 2, targetBusId: 1, directMw: 0, reverseMw: 0 },
  ],
  pumpingStations: [
    {
      id: 6,
      name: "p",
      busId: 1,
      sourceHydroId: 3,
      destinationHydroId: 4,
      consumptionMwPerM3s: 0.5,
      minFlowM3s: 0,
      maxFlowM3s: 900,
    },
  ],
  energyContracts: [
    { id: 8, name: "buy", busId: 1, type: "import", pricePerMwh: 9, minMw: 0, maxMw: 900 },
    { id: 9, name: "sell", busId: 1, type: "export", pricePerMwh: -7, minMw: 0, maxMw: 900 },
  ],
  nonControllables: [
    {
      id: 10,
      name: "wind",
      busId: 1,
      maxGenerationMw: 1000,
      curtailmentCost: 2,
      allowsCurtailment: true,
    },
  ],
  more: {
    genericConstraints: [
      { ...constraint, sense: "==", expression: "thermal_generation(7)" },
      { ...constraint, id: 2, sense: "<=", expression: "thermal_generation(8)" },
    ],
    genericBounds: [
      { constraintId: 1, stageId: 0, blockId: 1, bound: 5 },
      { constraintId: 2, stageId: 0, blockId: 0, bound: 5 },
    ],
  },
});

function recorded() {
  const builder = new StageBuilder(MODEL, 0, undefined);
  const parts = ELEMENTS.map((element) => element(builder));
  const lp = builder.program.build();
  const primal = Float64Array.from(lp.data.cost, (_, j) => 100 + j / 8);
  const duals = Float64Array.from(lp.data.rows.lower, (_, i) => -(2 + i / 16));
  const record = new ScenarioRecord(MODEL);
  const problem = {
    stage: 0,
    lp,
    parts,
    program: { solution: () => ({ primal, duals }) },
    costBehind: () => 0,
  };
  record.add(problem as unknown as StageProblem, Float64Array.of(11, 61));
  const tables = record.tables();
  const indexIn = (names: readonly string[], name: string) => {
    const at = names.indexOf(name);
    assert.ok(at >= 0, `no ${name} among ${names}`);
    return at;
  };
  return {
    of: (column: string) => primal[indexIn(lp.names.columns, column)],
    dual: (row: string) => duals[indexIn(lp.names.rows, row)],
    /** What a row has of a column. */
    coefficient: (row: string, column: string) => {
      const { starts, indices, values } = lp.data.rows;
      const at = indexIn(lp.names.rows, row);
      const sought = indexIn(lp.names.columns, column);
      const entry = indices.subarray(starts[at], starts[at + 1]).indexOf(sought);
      return entry < 0 ? 0 : values[starts[at] + entry];
    },
    costOf: (column: string) => lp.data.cost[indexIn(lp.names.columns, column)] * COST_SCALE,
    /** The columns of a row that is found by its ids. */
    row: (table: string, ids: Readonly<Record<string, number>>) => {
      const columns = tables[table];
      const at = columns[0].data.findIndex((_, i) =>
        columns.every(({ name, data }) => !(name in ids) || data[i] === ids[name]),
      );
      assert.ok(at >= 0, `no row ${JSON.stringify(ids)} in ${table}`);
      return Object.fromEntries(columns.map(({ name, data }) => [name, data[at]]));
    },
  };
}

describe("the tables of results", () => {
  const { of, dual, coefficient, costOf, row } = recorded();
  /** Compares the columns that are named here. */
  const has = (found: Record<string, number>, expected: Readonly<Record<string, number>>) => {
    for (const [name, value] of Object.entries(expected)) {
      const isSame =
        Object.is(found[name], value) || Math.abs(found[name] - value) <= 1e-12 * Math.abs(value);
      assert.ok(isSame, `${name} is ${found[name]}, not ${value}`);
    }
  };

  it("have the flows, storages and violations of each plant", () => {
    HOURS.forEach((hours, k) => {
      const upper = of(`turbined_4_${k}`) + of(`spillage_4_${k}`);
      has(row("hydros", { hydro_id: 3, block_id: k }), {
        turbined_m3s: of(`turbined_3_${k}`),
        spillage_m3s: of(`spillage_3_${k}`),
        outflow_m3s: of(`turbined_3_${k}`) + of(`spillage_3_${k}`),
        incremental_inflow_m3s: of("inflow_3"),
        inflow_m3s: of("inflow_3") + upper,
        evaporation_m3s: of("evaporated_3_0"),
        evaporation_violation_pos_m3s: of("evaporation_pos_3_0"),
        evaporation_violation_neg_m3s: of("evaporation_neg_3_0"),
        water_withdrawal_violation_pos_m3s: of("withdrawal_pos_3_0"),
        water_withdrawal_violation_neg_m3s: of("withdrawal_neg_3_0"),
        diverted_inflow_m3s: of(`diverted_4_${k}`),
        diverted_outflow_m3s: Number.NaN,
        storage_initial_hm3: 11,
        storage_final_hm3: of("storage_3"),
        storage_violation_below_hm3: of("storage_violation_3"),
        inflow_nonnegativity_slack_m3s: of("inflow_penalty_3"),
        water_value_per_hm3: dual("water_3") * COST_SCALE,
        generation_mw: 0.8 * of(`turbined_3_${k}`),
        generation_mwh: 0.8 * of(`turbined_3_${k}`) * hours,
        productivity_mw_per_m3s: 0.8,
        equivalent_productivity_mw_per_m3s: 0.8,
        accumulated_productivity_mw_per_m3s: 0.8,
        integrated_equivalent_productivity_mw_per_m3s: 0.8,
        integrated_accumulated_productivity_mw_per_m3s: 0.8,
        incremental_inflow_energy_mw: 0.8 * of("inflow_3"),
        // 20 hm³ are the minimum; of 1 hm³ a plant of 1 MW per m³/s makes 1/0.0036 MWh.
        stored_energy_initial_mwh: (0.8 * (11 - 20)) / 0.0036,
        stored_energy_final_mwh: (0.8 * (of("storage_3") - 20)) / 0.0036,
        stored_energy_initial_mw: (0.8 * (11 - 20)) / 0.0036 / 350,
        stored_energy_final_mw: (0.8 * (of("storage_3") - 20)) / 0.0036 / 350,
        spillage_cost: costOf(`spillage_3_${k}`) * of(`spillage_3_${k}`),
        turbined_slack_m3s: of(`turbined_violation_3_${k}`),
        outflow_slack_below_m3s: of(`outflow_violation_below_3_${k}`),
        outflow_slack_above_m3s: of(`outflow_violation_above_3_${k}`),
        generation_slack_mw: of(`generation_violation_3_${k}`),
        storage_binding_code: 2, // the made-up storage is above the maximum of 100
        operative_state_code: 2,
      });
      has(row("hydros", { hydro_id: 4, block_id: k }), {
        inflow_m3s: of("inflow_4"),
        outflow_m3s: upper,
        evaporation_m3s: Number.NaN,
        evaporation_violation_pos_m3s: 0,
        water_withdrawal_violation_pos_m3s: 0,
        diverted_inflow_m3s: Number.NaN,
        diverted_outflow_m3s: of(`diverted_4_${k}`),
        storage_initial_hm3: 61,
        accumulated_productivity_mw_per_m3s: 1.8,
        incremental_inflow_energy_mw: 1.8 * of("inflow_4"),
        stored_energy_initial_mwh: (1.8 * 61) / 0.0036,
        storage_final_hm3: of("storage_4"),
        storage_violation_below_hm3: 0,
        generation_mw: of(`turbined_4_${k}`),
        turbined_slack_m3s: 0,
      });
    });
  });

  it("have power, energy and cost of plants, lines, pumps, contracts and sources", () => {
    HOURS.forEach((hours, k) => {
      for (const [id, cost] of [
        [7, 50],
        [8, 60],
      ]) {
        const mw = of(`thermal_generation_${id}_${k}`);
        has(row("thermals", { thermal_id: id, block_id: k }), {
          generation_mw: mw,
          generation_mwh: mw * hours,
          generation_cost: cost * mw * hours,
          operative_state_code: 2,
        });
      }
      const [there, back] = [of(`direct_flow_5_${k}`), of(`reverse_flow_5_${k}`)];
      has(row("exchanges", { line_id: 5, block_id: k }), {
        direct_flow_mw: there,
        reverse_flow_mw: back,
        net_flow_mw: there - back,
        net_flow_mwh: (there - back) * hours,
        losses_mw: 0.005 * (there + back),
        losses_mwh: 0.005 * (there + back) * hours,
        exchange_cost: 2 * (there + back) * hours,
        operative_state_code: 2,
      });
      has(row("exchanges", { line_id: 6, block_id: k }), {
        losses_mw: 0,
        operative_state_code: 0,
      });
      const flow = of(`pumping_flow_6_${k}`);
      has(row("pumping_stations", { pumping_station_id: 6, block_id: k }), {
        pumped_flow_m3s: flow,
        pumped_volume_hm3: flow * hours * 0.0036,
        power_consumption_mw: 0.5 * flow,
        energy_consumption_mwh: 0.5 * flow * hours,
        operative_state_code: 2,
      });
      for (const [id, price] of [
        [8, 9],
        [9, -7],
      ]) {
        const mw = of(`contract_${id}_${k}`);
        has(row("contracts", { contract_id: id, block_id: k }), {
          power_mw: mw,
          energy_mwh: mw * hours,
          price_per_mwh: price,
          total_cost: price * mw * hours,
          operative_state_code: 2,
        });
      }
      const used = of(`non_controllable_generation_10_${k}`);
      has(row("non_controllables", { non_controllable_id: 10, block_id: k }), {
        generation_mw: used,
        generation_mwh: used * hours,
        available_mw: 1000,
        curtailment_mw: 1000 - used,
        curtailment_mwh: (1000 - used) * hours,
        curtailment_cost: 2 * (1000 - used) * hours,
        operative_state_code: 2,
      });
    });
  });

  it("have load, deficit, excess and price of each bus", () => {
    HOURS.forEach((hours, k) => {
      const missing = of(`deficit_2_0_${k}`) + of(`deficit_2_1_${k}`);
      has(row("buses", { bus_id: 2, block_id: k }), {
        load_mw: 70,
        load_mwh: 70 * hours,
        deficit_mw: missing,
        deficit_mwh: missing * hours,
        excess_mw: of(`excess_2_${k}`),
        excess_mwh: of(`excess_2_${k}`) * hours,
        spot_price: (dual(`power_2_${k}`) * COST_SCALE) / hours,
      });
      has(row("buses", { bus_id: 1, block_id: k }), {
        load_mw: 30,
        deficit_mw: of(`deficit_1_0_${k}`),
      });
    });
  });

  it("come from balances in which water leaves one plant for another", () => {
    HOURS.forEach((hours, k) => {
      const volume = 0.0036 * hours;
      for (const flow of ["turbined", "spillage", "diverted"]) {
        assert.equal(coefficient("water_4", `${flow}_4_${k}`), volume);
        assert.equal(coefficient("water_3", `${flow}_4_${k}`), -volume);
      }
      assert.equal(coefficient("water_3", `pumping_flow_6_${k}`), volume);
      assert.equal(coefficient("water_4", `pumping_flow_6_${k}`), -volume);
    });
  });

  it("have the violations of constraints: of an equation shortfall less excess, of others what is too much", () => {
    const [short, over] = [of("generic_shortfall_1_1"), of("generic_excess_1_1")];
    has(row("violations/generic", { constraint_id: 1, block_id: 1 }), {
      slack_value: short - over,
      slack_cost: 40 * 250 * (short + over),
    });
    const much = of("generic_excess_2_0");
    has(row("violations/generic", { constraint_id: 2, block_id: 0 }), {
      slack_value: much,
      slack_cost: 40 * 100 * much,
    });
  });
});
