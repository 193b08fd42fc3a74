import type {
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
  PUMPING_STATIONS,
  THERMALS,
} from "@cobre/io";
import type { LpData } from "@cobre/solver";
import type { ResultTable } from "./result-table.js";

/** What a cost is for: the table of costs has a column for each kind. */
export type CostKind = keyof typeof COSTS extends infer C
  ? C extends `${infer Kind}_cost`
    ? Kind
    : never
  : never;

/** The tables of results. */
export interface ResultTables {
  /** One row for each stage. */
  readonly costs: ResultTable<typeof COSTS>;
  readonly hydros: ResultTable<typeof HYDROS>;
  /** One row for each bus that a plant feeds whose units feed several, and block. */
  readonly hydroBusGeneration: ResultTable<typeof HYDRO_BUS_GENERATION>;
  readonly thermals: ResultTable<typeof THERMALS>;
  readonly buses: ResultTable<typeof BUSES>;
  readonly exchanges: ResultTable<typeof EXCHANGES>;
  /** One row for each plant and lag. */
  readonly inflowLags: ResultTable<typeof INFLOW_LAGS>;
  /** One row for each component of the state that is water on its way. */
  readonly inTransit: ResultTable<typeof IN_TRANSIT>;
  /** One row for each component of the state that is a commitment. */
  readonly commitments: ResultTable<typeof COMMITMENTS>;
  readonly nonControllables: ResultTable<typeof NON_CONTROLLABLES>;
  readonly pumpingStations: ResultTable<typeof PUMPING_STATIONS>;
  readonly contracts: ResultTable<typeof CONTRACTS>;
  /** One row for each row of a generic constraint. */
  readonly genericViolations: ResultTable<typeof GENERIC_VIOLATIONS>;
}

/** A solved stage, and the tables that its elements fill in. */
export interface StageResults extends ResultTables {
  readonly primal: Float64Array;
  readonly duals: Float64Array;
  readonly data: LpData;
  /** The state at the start of the stage. */
  readonly incoming: Float64Array;
}
