import {
  BUSES,
  COLLECTIVES,
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
  OUTPUT_FILES,
  PATHS,
  PUMPING_STATIONS,
  RETRY_HISTOGRAM,
  SCENARIO_SUMMARY,
  SOLVER_ITERATIONS,
  type TableColumns,
  THERMALS,
} from "@cobre/io";
import type { JsonFields } from "./json-fields.js";
import { RunError } from "./run-error.js";
import type { RunFiles } from "./run-files.js";
import { type RunMetadata, readRunMetadata } from "./run-metadata.js";
import { ScenarioTables } from "./scenario-tables.js";

/** The tables of a simulation, by name. */
export const SIMULATION_TABLES = {
  costs: COSTS,
  hydros: HYDROS,
  hydro_bus_generation: HYDRO_BUS_GENERATION,
  thermals: THERMALS,
  exchanges: EXCHANGES,
  buses: BUSES,
  inflow_lags: INFLOW_LAGS,
  in_transit: IN_TRANSIT,
  commitments: COMMITMENTS,
  non_controllables: NON_CONTROLLABLES,
  pumping_stations: PUMPING_STATIONS,
  contracts: CONTRACTS,
  "violations/generic": GENERIC_VIOLATIONS,
  paths: PATHS,
} as const;

export type SimulationTable = keyof typeof SIMULATION_TABLES;
type Spec<T extends SimulationTable> = (typeof SIMULATION_TABLES)[T];
/** The names of a table's columns. */
export type SimulationColumn<T extends SimulationTable> = keyof Spec<T> & string;

/** `simulation/metadata.json`. Costs are discounted, in $. */
export interface SimulationMetadata extends RunMetadata {
  readonly mean: number;
  readonly std: number;
  /** Half the width of the 95 % confidence interval of the mean; `null` for a single scenario, and for all paths. */
  readonly ci95: number | null;
  readonly scenarios: number;
  /** Whether the scenarios are all paths of a tree, so that the mean is the cost of the policy. Default: false. */
  readonly isExact?: boolean | undefined;
  readonly hash: string;
}

/** The results of a simulation. Tables are read when they are asked for; missing numbers are NaN. */
export class SimulationRun {
  readonly metadata: SimulationMetadata;
  /** The tables that the case has entities for. */
  readonly tables: readonly SimulationTable[];
  /** The scenarios, from 0. */
  readonly scenarios: readonly number[];
  private readonly files: RunFiles;
  private readonly byScenario: ScenarioTables;

  private constructor(files: RunFiles, metadata: SimulationMetadata) {
    this.files = files;
    this.metadata = metadata;
    const names = Object.keys(SIMULATION_TABLES) as SimulationTable[];
    this.tables = names.filter((name) => files.has(`${OUTPUT_FILES.simulation}/${name}`));
    this.byScenario = new ScenarioTables(files);
    this.scenarios = this.byScenario.scenarios("costs");
    if (this.scenarios.length !== metadata.scenarios) {
      const path = files.path(OUTPUT_FILES.simulation);
      const counts = `${this.scenarios.length} scenarios, not ${metadata.scenarios}`;
      throw new RunError("Damaged", path, `${path} has ${counts}; simulate again with --resume`);
    }
  }

  /** The table of {@link summary}. */
  get path(): string {
    return this.files.path(OUTPUT_FILES.scenarioSummary);
  }

  /** @internal */
  static async open(files: RunFiles): Promise<SimulationRun> {
    const metadata = readMetadata(await files.json(OUTPUT_FILES.simulationMetadata));
    return new SimulationRun(files, metadata);
  }

  /**
   * A table of one scenario: all its columns, or those named. For many scenarios, {@link scenariosOf} is faster.
   *
   * @example
   * ```ts
   * const { columns } = await simulation.table("hydros", 7, ["stage_id", "storage_final_hm3"]);
   * ```
   */
  table<T extends SimulationTable, K extends SimulationColumn<T> = SimulationColumn<T>>(
    table: T,
    scenario: number,
    columns?: readonly K[],
  ): Promise<TableColumns<Spec<T>, K>> {
    const spec: Spec<T> = SIMULATION_TABLES[table];
    return this.byScenario.read(table, scenario, spec, columns ?? namesOf(spec));
  }

  /** A table of all scenarios, one after the other. */
  async *scenariosOf<
    T extends SimulationTable,
    K extends SimulationColumn<T> = SimulationColumn<T>,
  >(
    table: T,
    columns?: readonly K[],
  ): AsyncGenerator<{ readonly scenario: number } & TableColumns<Spec<T>, K>> {
    const spec: Spec<T> = SIMULATION_TABLES[table];
    yield* this.byScenario.readAll(table, spec, columns ?? namesOf(spec));
  }

  /** A row for each scenario: its cost, and how likely it is if the scenarios are all paths of a tree. No rows in runs of earlier versions. */
  summary(): Promise<TableColumns<typeof SCENARIO_SUMMARY>> {
    return this.files.laterColumns(OUTPUT_FILES.scenarioSummary, SCENARIO_SUMMARY);
  }

  /** A row for each rank and collective: what it called in the simulation. No rows if the run did not measure it. */
  collectives(): Promise<TableColumns<typeof COLLECTIVES>> {
    return this.files.laterColumns(OUTPUT_FILES.simulationCollectives, COLLECTIVES);
  }

  /** A row for each stage. */
  solver(): Promise<TableColumns<typeof SOLVER_ITERATIONS>> {
    return this.files.columns(OUTPUT_FILES.simulationSolver, SOLVER_ITERATIONS);
  }

  /** Programs that took more than one attempt. */
  retries(): Promise<TableColumns<typeof RETRY_HISTOGRAM>> {
    return this.files.columns(OUTPUT_FILES.simulationRetries, RETRY_HISTOGRAM);
  }
}

function namesOf<S extends object, K extends keyof S & string>(spec: S): K[] {
  return Object.keys(spec) as K[];
}

function readMetadata(fields: JsonFields): SimulationMetadata {
  return {
    ...readRunMetadata(fields),
    mean: fields.number("mean"),
    std: fields.number("std"),
    ci95: fields.numberOrNull("ci95"),
    scenarios: fields.number("scenarios"),
    ...(fields.optionalText("kind") === "exact" && { isExact: true }),
    hash: fields.text("hash"),
  };
}
