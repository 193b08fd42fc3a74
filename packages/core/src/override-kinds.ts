/** The tables of bounds and penalties by stage: their files, their columns, and what their values may be. */
import { CASE_FILES } from "./case-files.js";
import type { OverrideKind } from "./overrides.js";
import {
  BUS_PENALTY_COLUMNS,
  HYDRO_COLUMNS,
  HYDRO_COLUMNS_OF_BLOCKS,
  HYDRO_PENALTY_COLUMNS,
  LINE_COLUMNS,
  LINE_PENALTY_COLUMNS,
  THERMAL_COLUMNS,
} from "./system/columns.js";
import { CONTRACT_COLUMNS } from "./system/energy-contract.js";
import {
  NON_CONTROLLABLE_COLUMNS,
  NON_CONTROLLABLE_PENALTY_COLUMNS,
} from "./system/non-controllable.js";
import { PUMPING_COLUMNS } from "./system/pumping-station.js";

type Kind<C> = OverrideKind<Extract<keyof C, string>>;

export const HYDRO_PENALTIES: Kind<typeof HYDRO_PENALTY_COLUMNS> = {
  file: CASE_FILES.hydroPenalties,
  kind: "hydro",
  idColumn: "hydro_id",
  columns: HYDRO_PENALTY_COLUMNS,
  arePositive: true,
  mayBeZero: ["fphaTurbinedCost"],
};

export const HYDRO_BOUNDS: Kind<typeof HYDRO_COLUMNS> = {
  file: CASE_FILES.hydroBounds,
  kind: "hydro",
  idColumn: "hydro_id",
  columns: HYDRO_COLUMNS,
  pairs: [
    ["minStorageHm3", "maxStorageHm3"],
    ["minOutflowM3s", "maxOutflowM3s"],
    ["minTurbinedM3s", "maxTurbinedM3s"],
    ["minGenerationMw", "maxGenerationMw"],
    ["minDiversionM3s", "maxDiversionM3s"],
    ["minSpillageM3s", "maxSpillageM3s"],
  ],
  ofBlocks: HYDRO_COLUMNS_OF_BLOCKS,
  mayBeNegative: ["waterWithdrawalM3s"],
};

export const THERMAL_BOUNDS: Kind<typeof THERMAL_COLUMNS> = {
  file: CASE_FILES.thermalBounds,
  kind: "thermal",
  idColumn: "thermal_id",
  columns: THERMAL_COLUMNS,
  pairs: [["minGenerationMw", "maxGenerationMw"]],
  mayBeNegative: ["costPerMwh"],
  ofBlocks: ["minGenerationMw", "maxGenerationMw"],
};

export const LINE_BOUNDS: Kind<typeof LINE_COLUMNS> = {
  file: CASE_FILES.lineBounds,
  kind: "line",
  idColumn: "line_id",
  columns: LINE_COLUMNS,
  ofBlocks: ["directMw", "reverseMw"],
};

export const BUS_PENALTIES: Kind<typeof BUS_PENALTY_COLUMNS> = {
  file: CASE_FILES.busPenalties,
  kind: "bus",
  idColumn: "bus_id",
  columns: BUS_PENALTY_COLUMNS,
  arePositive: true,
};

export const LINE_PENALTIES: Kind<typeof LINE_PENALTY_COLUMNS> = {
  file: CASE_FILES.linePenalties,
  kind: "line",
  idColumn: "line_id",
  columns: LINE_PENALTY_COLUMNS,
  arePositive: true,
};

export const NON_CONTROLLABLE_BOUNDS: Kind<typeof NON_CONTROLLABLE_COLUMNS> = {
  file: CASE_FILES.nonControllableBounds,
  kind: "non-controllable source",
  idColumn: "ncs_id",
  columns: NON_CONTROLLABLE_COLUMNS,
};

export const NON_CONTROLLABLE_PENALTIES: Kind<typeof NON_CONTROLLABLE_PENALTY_COLUMNS> = {
  file: CASE_FILES.nonControllablePenalties,
  kind: "non-controllable source",
  idColumn: "source_id",
  columns: NON_CONTROLLABLE_PENALTY_COLUMNS,
  arePositive: true,
};

export const PUMPING_BOUNDS: Kind<typeof PUMPING_COLUMNS> = {
  file: CASE_FILES.pumpingBounds,
  kind: "pumping station",
  idColumn: "station_id",
  columns: PUMPING_COLUMNS,
  pairs: [["minFlowM3s", "maxFlowM3s"]],
  ofBlocks: ["minFlowM3s", "maxFlowM3s"],
};

export const CONTRACT_BOUNDS: Kind<typeof CONTRACT_COLUMNS> = {
  file: CASE_FILES.contractBounds,
  kind: "contract",
  idColumn: "contract_id",
  columns: CONTRACT_COLUMNS,
  pairs: [["minMw", "maxMw"]],
  mayBeNegative: ["pricePerMwh"],
  ofBlocks: ["minMw", "maxMw", "pricePerMwh"],
};
