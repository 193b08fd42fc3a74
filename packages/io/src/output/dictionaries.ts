import type { StageTable, Study } from "@cobre/core";
import type { Case } from "../load-case.js";
import { BOUND_TYPE, codeDictionary, ENTITY_TYPE } from "./codes.js";
import type { ColumnType, TableRow, TableSpec } from "./column.js";
import type { OutputDirectory } from "./output-directory.js";
import { OUTPUT_FILES } from "./output-files.js";
import { SCENARIO } from "./scenario-writer.js";
import { stateVariables } from "./state-variables.js";
import { tableOf } from "./table-builder.js";
import { FPHA_PLANES } from "./tables/hydro-model-tables.js";
import * as simulation from "./tables/simulation-tables.js";
import * as stochastic from "./tables/stochastic-tables.js";
import * as training from "./tables/training-tables.js";

/** A table of a simulation in a file with many scenarios. */
const ofScenarios = <S extends TableSpec>(spec: S) => ({ ...SCENARIO, ...spec });

/** Every table that a run can write, by its path. */
export const TABLES: Readonly<Record<string, TableSpec>> = {
  "training/convergence": training.CONVERGENCE,
  "training/timing/iterations": training.ITERATION_TIMING,
  "training/timing/mpi_ranks": training.RANK_TIMING,
  "training/timing/collectives": training.COLLECTIVES,
  "training/solver/iterations": training.SOLVER_ITERATIONS,
  "training/solver/retry_histogram": training.RETRY_HISTOGRAM,
  "training/cut_selection/iterations": training.CUT_SELECTION,
  "training/dictionaries/bounds": training.BOUNDS,
  "policy/states": training.STATES,
  "simulation/costs": ofScenarios(simulation.COSTS),
  "simulation/hydros": ofScenarios(simulation.HYDROS),
  "simulation/hydro_bus_generation": ofScenarios(simulation.HYDRO_BUS_GENERATION),
  "simulation/thermals": ofScenarios(simulation.THERMALS),
  "simulation/exchanges": ofScenarios(simulation.EXCHANGES),
  "simulation/buses": ofScenarios(simulation.BUSES),
  "simulation/inflow_lags": ofScenarios(simulation.INFLOW_LAGS),
  "simulation/in_transit": ofScenarios(simulation.IN_TRANSIT),
  "simulation/commitments": ofScenarios(simulation.COMMITMENTS),
  "simulation/non_controllables": ofScenarios(simulation.NON_CONTROLLABLES),
  "simulation/pumping_stations": ofScenarios(simulation.PUMPING_STATIONS),
  "simulation/contracts": ofScenarios(simulation.CONTRACTS),
  "simulation/violations/generic": ofScenarios(simulation.GENERIC_VIOLATIONS),
  "simulation/paths": ofScenarios(simulation.PATHS),
  "simulation/scenario_summary": simulation.SCENARIO_SUMMARY,
  "simulation/timing/collectives": training.COLLECTIVES,
  "simulation/solver/iterations": training.SOLVER_ITERATIONS,
  "simulation/solver/retry_histogram": training.RETRY_HISTOGRAM,
  "hydro_models/fpha_hyperplanes": FPHA_PLANES,
  "stochastic/noise_openings": stochastic.NOISE_OPENINGS,
  "stochastic/inflow_seasonal_stats": stochastic.INFLOW_STATISTICS,
  "stochastic/inflow_ar_coefficients": stochastic.INFLOW_AUTOREGRESSIONS,
  "stochastic/inflow_annual_component": stochastic.INFLOW_ANNUAL_COMPONENTS,
  "stochastic/load_seasonal_stats": stochastic.LOAD_STATISTICS,
};

const TYPE_NAMES: Readonly<Record<ColumnType, string>> = {
  INT8: "i8",
  INT32: "i32",
  UINT32: "u32",
  INT64: "i64",
  DOUBLE: "f64",
  DATE: "date32",
  BOOLEAN: "bool",
  STRING: "utf8",
};

/** Writes the dictionaries, which explain the names and codes in the other files. */
export function writeDictionaries(output: OutputDirectory, { study, uncertainty }: Case): void {
  output.writeJson(OUTPUT_FILES.codes, codeDictionary());
  output.writeText(OUTPUT_FILES.entities, csv(entityRows(study)));
  output.writeText(OUTPUT_FILES.variables, csv(variableRows()));
  output.writeTable(OUTPUT_FILES.bounds, tableOf(training.BOUNDS, boundRows(study)));
  output.writeJson(OUTPUT_FILES.stages, { version: "1.0", stages: stageRows(study) });
  const states = stateVariables({ study, uncertainty });
  output.writeJson(OUTPUT_FILES.stateDictionary, { version: "1.0", state_variables: states });
}

const MILLISECONDS_A_DAY = 86_400_000;

function stageRows({ time }: Study): object[] {
  const date = (day: number) => new Date(day * MILLISECONDS_A_DAY).toISOString().slice(0, 10);
  return time.stages.map(({ id, start, end, blocks }) => ({
    stage_id: id,
    start_date: date(start),
    end_date: date(end),
    blocks: blocks.map((block) => ({ block_id: block.id, name: block.name, hours: block.hours })),
  }));
}

type Cell = string | number | boolean;

function csv(rows: readonly (readonly Cell[])[]): string {
  const quoted = (cell: Cell) => {
    const words = String(cell);
    return /[",\n\r]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
  };
  return rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");
}

function entityRows({ system }: Study): Cell[][] {
  const { hydros, thermals, buses, lines, nonControllables } = system;
  const one = 0; // a case is one system
  return [
    ["entity_type_code", "entity_id", "name", "bus_id", "system_id"],
    ...hydros.map(({ id, name, busId }) => [ENTITY_TYPE.hydro, id, name, busId, one]),
    ...thermals.map(({ id, name, busId }) => [ENTITY_TYPE.thermal, id, name, busId, one]),
    ...buses.map(({ id, name }) => [ENTITY_TYPE.bus, id, name, id, one]),
    ...lines.map(({ id, name }) => [ENTITY_TYPE.line, id, name, -1, one]), // a line has two buses
    ...system.pumpingStations.map(({ id, name, busId }) => {
      return [ENTITY_TYPE.pumping_station, id, name, busId, one];
    }),
    ...system.energyContracts.map(({ id, name, busId }) => {
      return [ENTITY_TYPE.contract, id, name, busId, one];
    }),
    ...nonControllables.map(({ id, name, busId }) => {
      return [ENTITY_TYPE.non_controllable, id, name, busId, one];
    }),
  ];
}

function variableRows(): Cell[][] {
  const rows = Object.entries(TABLES).flatMap(([file, spec]) =>
    Object.entries(spec).map(([column, { type, unit, about, isNullable }]) => [
      file,
      column,
      TYPE_NAMES[type],
      unit,
      about,
      isNullable,
    ]),
  );
  return [["file", "column", "type", "unit", "description", "nullable"], ...rows];
}

function boundRows(study: Study): TableRow<typeof training.BOUNDS>[] {
  const rows: TableRow<typeof training.BOUNDS>[] = [];
  const add = (
    type: number,
    entities: readonly { readonly id: number }[],
    bounds: readonly (readonly [type: number, table: StageTable, sign?: 1 | -1])[],
  ) => {
    entities.forEach(({ id }, entity) => {
      study.time.stages.forEach((stage, s) => {
        for (const [bound, table, sign = 1] of bounds) {
          const values = [
            { block: null, value: table.at(s, entity) },
            ...table.blockValues(s, entity),
          ];
          for (const { block, value } of values) {
            if (!Number.isFinite(value)) continue;
            rows.push({
              entity_type_code: type,
              entity_id: id,
              stage_id: stage.id,
              block_id: block,
              bound_type_code: bound,
              bound_value: sign === -1 ? 0 - value : value,
            });
          }
        }
      });
    });
  };
  const { system, hydros, thermals, lines } = study;
  add(ENTITY_TYPE.hydro, system.hydros, [
    [BOUND_TYPE.storage_min, hydros.minStorageHm3],
    [BOUND_TYPE.storage_max, hydros.maxStorageHm3],
    [BOUND_TYPE.turbined_min, hydros.minTurbinedM3s],
    [BOUND_TYPE.turbined_max, hydros.maxTurbinedM3s],
    [BOUND_TYPE.outflow_min, hydros.minOutflowM3s],
    [BOUND_TYPE.outflow_max, hydros.maxOutflowM3s],
    [BOUND_TYPE.generation_min, hydros.minGenerationMw],
    [BOUND_TYPE.generation_max, hydros.maxGenerationMw],
  ]);
  add(ENTITY_TYPE.thermal, system.thermals, [
    [BOUND_TYPE.generation_min, thermals.minGenerationMw],
    [BOUND_TYPE.generation_max, thermals.maxGenerationMw],
  ]);
  add(ENTITY_TYPE.line, system.lines, [
    [BOUND_TYPE.flow_min, lines.reverseMw, -1],
    [BOUND_TYPE.flow_max, lines.directMw],
  ]);
  add(ENTITY_TYPE.pumping_station, system.pumpingStations, [
    [BOUND_TYPE.flow_min, study.pumpingStations.minFlowM3s],
    [BOUND_TYPE.flow_max, study.pumpingStations.maxFlowM3s],
  ]);
  add(ENTITY_TYPE.contract, system.energyContracts, [
    [BOUND_TYPE.generation_min, study.contracts.minMw],
    [BOUND_TYPE.generation_max, study.contracts.maxMw],
  ]);
  add(ENTITY_TYPE.non_controllable, system.nonControllables, [
    [BOUND_TYPE.generation_max, study.nonControllables.availableMw],
  ]);
  return rows;
}
