/**
 * A small system, described in plain data of its own: what a case directory says, arranged by entity and stage. The oracle reads
 * nothing else. Lists named `stages` have one element for each stage of the study, in order.
 */
import type { SmallEquipment } from "./equipment.js";

/** A period of the study. Ids increase, but may have gaps. */
export interface SmallStage {
  readonly id: number;
  /** The length by the calendar, which only discounting uses. */
  readonly days: number;
  /** The hours of each block. */
  readonly hours: readonly number[];
  readonly openings: number;
  /** Whether blocks follow each other, each with a water balance of its own. */
  readonly isChronological: boolean;
  /** The month, from 0; null if nothing depends on it. */
  readonly season: number | null;
  /** Weighs the openings of the next stage; that of the first stage also weighs its own openings. */
  readonly risk: { readonly alpha: number; readonly lambda: number } | null;
  /** Replaces the discount rate of the study in the transition to the next stage. The last one has null. */
  readonly rate: number | null;
  /** The correlation of any two plants and of any two loads. It counts only if noise is sampled. */
  readonly correlation: { readonly inflow: number; readonly load: number } | null;
}

/** A step of the cost of unserved load; the last one has no depth. */
export interface SmallSegment {
  readonly depth: number | null;
  readonly cost: number;
}

/** The load of a bus in a stage: max(0, mean + std · noise), times the factor of the block. */
export interface SmallLoad {
  readonly mean: number;
  readonly std: number;
  /** For each opening. */
  readonly noise: readonly number[];
  /** For each block; null means 1 everywhere. */
  readonly factors: readonly number[] | null;
  readonly excessCost: number | null;
}

export interface SmallBus {
  readonly id: number;
  /** Null: those of the whole system. */
  readonly segments: readonly SmallSegment[] | null;
  readonly stages: readonly SmallLoad[];
}

/** When an entity exists, by ids of stages: from the entry to the one before the exit. */
export interface SmallLife {
  readonly entry: number | null;
  readonly exit: number | null;
}

/** Whether there is something in the stage with this id. */
export function isIn({ entry, exit }: SmallLife, id: number): boolean {
  return id >= (entry ?? id) && id < (exit ?? id + 1);
}

/** Whether a plant or line exists in a stage. In Cobre 0.5 all do. */
export function existsIn(
  { stages, compat }: SmallSystem,
  { life }: { readonly life: SmallLife },
  stage: number,
): boolean {
  return compat || isIn(life, stages[stage].id);
}

export interface SmallLine {
  readonly id: number;
  readonly source: number;
  readonly target: number;
  readonly life: SmallLife;
  readonly direct: number;
  readonly reverse: number;
  /** What is lost of a flow, in percent. */
  readonly losses: number;
  /** Null: that of the whole system. */
  readonly cost: number | null;
  readonly stages: readonly {
    readonly direct?: number;
    readonly reverse?: number;
    readonly cost?: number;
  }[];
}

/** How long before a stage a plant is committed, in stages or in hours, and what it was committed to before the study, by stage. */
export interface SmallLead {
  readonly stages: number | null;
  readonly hours: number;
  readonly past: readonly number[];
}

export interface SmallThermal {
  readonly id: number;
  readonly life: SmallLife;
  readonly bus: number;
  readonly min: number;
  readonly max: number;
  readonly cost: number;
  readonly stages: readonly {
    readonly min?: number;
    readonly max?: number;
    readonly cost?: number;
  }[];
  readonly lead: SmallLead | null;
  /** In the stages behind the study. */
  readonly behind: readonly { readonly min: number; readonly max: number; readonly cost: number }[];
  /** The slopes of each boundary cut by what the plant is committed to, in $ per MW, by stages ahead. */
  readonly boundary: readonly (readonly number[])[];
}

/** Limits of a plant, in hm³, m³/s and MW. An outflow without an upper limit has null. */
export interface SmallBounds {
  readonly minStorage: number;
  readonly maxStorage: number;
  readonly minOutflow: number;
  readonly maxOutflow: number | null;
  readonly minTurbined: number;
  readonly maxTurbined: number;
  readonly minGeneration: number;
  readonly maxGeneration: number;
}

/** What a plant pays, in $ per m³/s or MW and hour. */
export interface SmallPenalties {
  readonly spillage: number;
  readonly turbinedBelow: number;
  readonly outflowBelow: number;
  readonly outflowAbove: number;
  readonly generationBelow: number;
  readonly negativeInflow: number;
}

/** The inflow of a plant in a stage: a periodic autoregression of standardised inflows. */
export interface SmallInflow {
  readonly mean: number;
  readonly std: number;
  /** For lag 1, 2, …; empty without autoregression. */
  readonly coefficients: readonly number[];
  /** The share of `std` that is noise. It counts only with coefficients. */
  readonly ratio: number;
  /** The part of the mean of the last twelve inflows. */
  readonly annual: { readonly coefficient: number; readonly std: number } | null;
  /** For each opening. */
  readonly noise: readonly number[];
  readonly bounds: Partial<SmallBounds>;
  readonly penalties: Partial<SmallPenalties>;
}

/** A channel through which water leaves a plant for another one than that downstream. */
export interface SmallDiversion {
  readonly target: number;
  readonly max: number;
  /** In $ per m³/s and hour. Null: that of the whole system. */
  readonly cost: number | null;
  readonly stages: readonly { readonly max?: number; readonly cost?: number }[];
}

/** Generation is at most κ · constant + volume · (mean storage) + turbined · (turbined flow) + spilled · (spillage). */
export interface SmallPlane {
  readonly constant: number;
  readonly volume: number;
  readonly turbined: number;
  readonly spilled: number;
  readonly kappa: number;
}

/** How a plant generates in a stage: with another productivity, or below planes. Null: with its own productivity. */
export type SmallProduction = { readonly productivity: number } | readonly SmallPlane[] | null;

/** How long water takes to the next plant, and what was released before the study, by days before its start. */
export interface SmallTravel {
  readonly hours: number;
  readonly past: readonly {
    readonly since: number;
    readonly until: number;
    readonly value: number;
  }[];
}

/** Units of a plant that feed a bus. */
export interface SmallGroup extends SmallGroupLimits {
  readonly id: number;
  readonly bus: number;
  /** Other limits in single stages, or in a block of them. */
  readonly own: readonly {
    readonly stage: number;
    readonly block: number | null;
    readonly limits: Partial<SmallGroupLimits>;
  }[];
}

export interface SmallGroupLimits {
  readonly minTurbined: number;
  readonly maxTurbined: number;
  readonly minGeneration: number;
  readonly maxGeneration: number;
}

/** How a reservoir is filled, from the stage with the id `start` to the one before the plant's entry. */
export interface SmallFilling {
  readonly start: number;
  /** In m³/s: what is kept at most, or else what is kept at least. */
  readonly rate: number;
  readonly isMost: boolean;
  /** Another rate in single stages. */
  readonly stages: readonly (number | null)[];
}

/** Penalties of storage below its minimum or its target, in $ per hm³, and of other evaporation and withdrawal than due, per m³/s and hour. */
export interface SmallWaterPenalties {
  readonly storageBelow: number;
  readonly fillingTarget: number;
  readonly evaporationPos: number;
  readonly evaporationNeg: number;
  readonly withdrawalPos: number;
  readonly withdrawalNeg: number;
}

/** Evaporation by month, and the area of the reservoir by volume. */
export interface SmallEvaporation {
  readonly coefficients: readonly number[];
  readonly references: readonly number[] | null;
  readonly areas: readonly { readonly volume: number; readonly area: number }[];
}

export interface SmallHydro {
  readonly id: number;
  readonly life: SmallLife;
  readonly bus: number;
  readonly downstream: number | null;
  readonly travel: SmallTravel | null;
  readonly diversion: SmallDiversion | null;
  readonly productivity: number;
  /** For each stage. */
  readonly production: readonly SmallProduction[];
  /** In $ per m³/s and hour, paid where planes hold. Null: that of the whole system. */
  readonly turbinedCost: number | null;
  readonly evaporation: SmallEvaporation | null;
  readonly filling: SmallFilling | null;
  /** In place of the bus. */
  readonly groups: readonly SmallGroup[] | null;
  /** Water taken in each stage, in m³/s. */
  readonly withdrawal: readonly number[];
  readonly waterPenalties: Partial<SmallWaterPenalties>;
  readonly stageWaterPenalties: readonly Partial<SmallWaterPenalties>[];
  readonly bounds: SmallBounds;
  readonly penalties: Partial<SmallPenalties>;
  readonly storage: number;
  /** Inflows before the study, most recent first. What is missing is 0. */
  readonly past: readonly number[];
  /** Mean and deviation of the inflow in the stages before the study, most recent first. */
  readonly before: readonly { readonly mean: number; readonly std: number }[];
  readonly stages: readonly SmallInflow[];
  /** The slopes of each boundary cut, in $ per hm³ and per m³/s; those of water on its way by stages ahead. */
  readonly boundary: readonly {
    readonly storage: number;
    readonly lags: readonly number[];
    readonly transit: readonly number[];
  }[];
}

export type SmallMethod = "none" | "penalty" | "truncation" | "truncation_with_penalty";

export interface SmallSystem {
  readonly seed: number;
  readonly stages: readonly SmallStage[];
  readonly annualRate: number;
  readonly method: SmallMethod;
  /** Whether CVaR is that of Cobre 0.5. */
  readonly compat: boolean;
  /** The seed of a tree that the program draws itself. Null: the noise is given. */
  readonly treeSeed: number | null;
  /** In $, a cut each; their slopes are with the plants. Null: nothing lies behind the last stage. */
  readonly boundary: readonly number[] | null;
  /** Stages behind the study for which plants are committed within it. */
  readonly postStudy: readonly { readonly hours: number }[];
  readonly segments: readonly SmallSegment[];
  readonly excessCost: number;
  readonly exchangeCost: number;
  readonly diversionCost: number;
  readonly turbinedCost: number;
  readonly waterPenalties: SmallWaterPenalties;
  readonly penalties: SmallPenalties;
  readonly buses: readonly SmallBus[];
  readonly lines: readonly SmallLine[];
  readonly thermals: readonly SmallThermal[];
  readonly hydros: readonly SmallHydro[];
  /** What there is besides; see equipment.ts. */
  readonly equipment: SmallEquipment;
}

/** How many past inflows are part of the state. */
export function lagsOf({ hydros }: SmallSystem): number {
  const cells = hydros.flatMap(({ stages }) => stages);
  const order = Math.max(0, ...cells.map(({ coefficients }) => coefficients.length));
  return cells.some(({ annual }) => annual !== null) ? Math.max(12, order) : order;
}

/** The number of paths through the tree. */
export function pathsOf({ stages }: SmallSystem): number {
  return stages.reduce((paths, { openings }) => paths * openings, 1);
}

/** The plants, as a noise vector has them. */
export function hydrosById({ hydros }: SmallSystem): readonly SmallHydro[] {
  return [...hydros].sort((a, b) => a.id - b.id);
}

/** The buses with noise, as a noise vector has them: after the plants. */
export function uncertainBusesById({ buses }: SmallSystem): readonly SmallBus[] {
  return buses
    .filter(({ stages }) => stages.some(({ std }) => std > 0))
    .sort((a, b) => a.id - b.id);
}
