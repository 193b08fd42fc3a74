import {
  BUSES,
  COMMITMENTS,
  CONTRACTS,
  COSTS,
  EXCHANGES,
  GENERIC_VIOLATIONS,
  HYDRO_BUS_GENERATION,
  HYDROS,
  IN_TRANSIT,
  INFLOW_LAGS,
  NON_CONTROLLABLES,
  type NumberTableSpec,
  PUMPING_STATIONS,
  THERMALS,
} from "@cobre/io";
import type { Model } from "../model.js";
import { ResultTable, type RowOrder } from "./result-table.js";
import type { ResultTables } from "./stage-results.js";

/** The tables of a scenario with nothing but what is the same in every scenario: what names their rows, and productivities. */
export function blankTables(model: Model): ResultTables {
  const { system, time } = model.study;
  let blocks = 0;
  for (const stage of time.stages) blocks += stage.blocks.length;
  const table = <S extends NumberTableSpec>(spec: S, entities: number, order: RowOrder) =>
    new ResultTable(spec, entities * blocks, order);
  const tables: ResultTables = {
    costs: new ResultTable(COSTS, model.stages, "by entity"),
    hydros: table(HYDROS, system.hydros.length, "by entity"),
    hydroBusGeneration: table(HYDRO_BUS_GENERATION, model.study.units.flat().length, "by entity"),
    thermals: table(THERMALS, system.thermals.length, "by block"),
    buses: table(BUSES, system.buses.length, "by block"),
    exchanges: table(EXCHANGES, system.lines.length, "by block"),
    inflowLags: new ResultTable(INFLOW_LAGS, model.stages * model.hydros * model.lags, "by entity"),
    inTransit: new ResultTable(
      IN_TRANSIT,
      model.stages * model.study.travel.states.length,
      "by entity",
    ),
    commitments: new ResultTable(
      COMMITMENTS,
      model.stages * model.study.commitments.states.length,
      "by entity",
    ),
    nonControllables: table(NON_CONTROLLABLES, system.nonControllables.length, "by block"),
    pumpingStations: table(PUMPING_STATIONS, system.pumpingStations.length, "by block"),
    contracts: table(CONTRACTS, system.energyContracts.length, "by block"),
    genericViolations: new ResultTable(
      GENERIC_VIOLATIONS,
      model.study.generic.rows.reduce((sum, rows) => sum + rows.length, 0),
      "by entity",
    ),
  };
  for (let stage = 0; stage < model.stages; stage++) {
    openStage(tables, model, stage);
    nameRows(tables, model, stage);
  }
  return tables;
}

/** Tables with the same values, of which no row is open yet. */
export function copyTables(tables: ResultTables): ResultTables {
  return {
    costs: tables.costs.copy(),
    hydros: tables.hydros.copy(),
    hydroBusGeneration: tables.hydroBusGeneration.copy(),
    thermals: tables.thermals.copy(),
    buses: tables.buses.copy(),
    exchanges: tables.exchanges.copy(),
    inflowLags: tables.inflowLags.copy(),
    inTransit: tables.inTransit.copy(),
    commitments: tables.commitments.copy(),
    nonControllables: tables.nonControllables.copy(),
    pumpingStations: tables.pumpingStations.copy(),
    contracts: tables.contracts.copy(),
    genericViolations: tables.genericViolations.copy(),
  };
}

/** Opens the rows of a stage, which must follow the last one. */
export function openStage(tables: ResultTables, { study, lags }: Model, stage: number): void {
  const blocks = study.time.stages[stage].blocks.length;
  const { hydros, thermals, buses, lines } = study.system;
  tables.costs.begin(1, 1);
  tables.hydros.begin(hydros.length, blocks);
  let cells = 0;
  for (const ofPlant of study.units) cells += ofPlant.length;
  tables.hydroBusGeneration.begin(cells, blocks);
  tables.thermals.begin(thermals.length, blocks);
  tables.buses.begin(buses.length, blocks);
  tables.exchanges.begin(lines.length, blocks);
  tables.inflowLags.begin(hydros.length, lags);
  tables.inTransit.begin(study.travel.states.length, 1);
  tables.commitments.begin(study.commitments.states.length, 1);
  tables.nonControllables.begin(study.system.nonControllables.length, blocks);
  tables.pumpingStations.begin(study.system.pumpingStations.length, blocks);
  tables.contracts.begin(study.system.energyContracts.length, blocks);
  tables.genericViolations.begin(study.generic.rows[stage].length, 1);
}

function nameRows(tables: ResultTables, { study }: Model, stage: number): void {
  const { id, blocks } = study.time.stages[stage];
  const { hydros, thermals, buses, lines } = study.system;
  const name = <S extends NumberTableSpec>(
    table: ResultTable<S>,
    entities: readonly { readonly id: number }[],
    column: keyof S,
  ) => {
    table.set("stage_id", () => id);
    table.set("block_id", (_, k) => blocks[k].id);
    table.set(column, (entity) => entities[entity].id);
  };
  tables.costs.set("stage_id", () => id);
  name(tables.hydros, hydros, "hydro_id");
  const { energy } = study;
  for (const [column, table] of [
    ["equivalent_productivity_mw_per_m3s", energy.equivalent],
    ["accumulated_productivity_mw_per_m3s", energy.accumulated],
    ["integrated_equivalent_productivity_mw_per_m3s", energy.integratedEquivalent],
    ["integrated_accumulated_productivity_mw_per_m3s", energy.integratedAccumulated],
  ] as const) {
    tables.hydros.set(column, (h) => table.at(stage, h));
  }
  const cells = study.units.flat();
  const plants = cells.map(({ plant }) => hydros[plant]);
  name(tables.hydroBusGeneration, plants, "hydro_id");
  tables.hydroBusGeneration.set("bus_id", (cell) => buses[cells[cell].bus].id);
  name(tables.thermals, thermals, "thermal_id");
  name(tables.buses, buses, "bus_id");
  name(tables.exchanges, lines, "line_id");
  name(tables.nonControllables, study.system.nonControllables, "non_controllable_id");
  name(tables.pumpingStations, study.system.pumpingStations, "pumping_station_id");
  name(tables.contracts, study.system.energyContracts, "contract_id");
  const { constraints, rows } = study.generic;
  tables.genericViolations.set("stage_id", () => id);
  tables.genericViolations.set("block_id", (row) => blocks[rows[stage][row].block].id);
  tables.genericViolations.set("constraint_id", (row) => {
    return constraints[rows[stage][row].constraint].id;
  });
  tables.inflowLags.set("stage_id", () => id);
  tables.inflowLags.set("hydro_id", (h) => hydros[h].id);
  tables.inflowLags.set("lag_index", (_, lag) => lag + 1);
  const inTransit = study.travel.states;
  tables.inTransit.set("stage_id", () => id);
  tables.inTransit.set("hydro_id", (i) => hydros[inTransit[i].plant].id);
  tables.inTransit.set("stages_ahead", (i) => inTransit[i].ahead);
  const committed = study.commitments.states;
  tables.commitments.set("stage_id", () => id);
  tables.commitments.set("thermal_id", (i) => thermals[committed[i].plant].id);
  tables.commitments.set("stages_ahead", (i) => committed[i].ahead);
}
