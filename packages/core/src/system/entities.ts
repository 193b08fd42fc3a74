/**
 * The entities of a power system. Volumes are in hm³, flows in m³/s, power in MW, costs in $ per MWh, or per
 * m³/s and hour. A missing upper limit is Infinity.
 */

import type { Lifetime } from "../lifetime.js";

/** What gives the order of entities. */
export interface Ordered {
  /** Entities are in the order of these days, then of their ids; without days in that of their ids. They do not exist only from that day on. */
  readonly operationalStart?: number | undefined;
}

/** A step of the cost of unserved load. */
export interface DeficitSegment {
  readonly depthMw: number;
  readonly costPerMwh: number;
}

/** A node of the network. */
export interface Bus extends Ordered {
  readonly id: number;
  readonly name: string;
  /** In order of increasing cost; the last one has no depth limit. */
  readonly deficitSegments: readonly DeficitSegment[];
  readonly excessCost: number;
}

/** A connection of two buses. Flow from source to target is direct; flow the other way is reverse. */
export interface Line extends Lifetime, Ordered {
  readonly id: number;
  readonly name: string;
  readonly sourceBusId: number;
  readonly targetBusId: number;
  readonly directMw: number;
  readonly reverseMw: number;
  readonly exchangeCost: number;
  /** The share of the flow that does not arrive. */
  readonly lossesPercent?: number | undefined;
}

/** How long before a stage its generation is decided. */
export type Lead = { readonly stages: number } | { readonly hours: number };

/** A thermal plant. */
export interface Thermal extends Lifetime, Ordered {
  readonly id: number;
  readonly name: string;
  readonly busId: number;
  readonly minGenerationMw: number;
  readonly maxGenerationMw: number;
  readonly costPerMwh: number;
  /** Of a plant that is committed ahead of time. */
  readonly lead?: Lead | undefined;
}

/** The bounds of a hydro plant; each can be overridden for a stage. */
export interface HydroBounds {
  readonly minStorageHm3: number;
  readonly maxStorageHm3: number;
  readonly minOutflowM3s: number;
  readonly maxOutflowM3s: number;
  readonly minTurbinedM3s: number;
  readonly maxTurbinedM3s: number;
  readonly minGenerationMw: number;
  readonly maxGenerationMw: number;
}

/** Bounds that only single stages have; without them there is none. */
export interface HydroStageBounds {
  readonly maxDiversionM3s: number;
  readonly minDiversionM3s: number;
  readonly minSpillageM3s: number;
  readonly maxSpillageM3s: number;
  /** Water that is taken from the reservoir; negative: returned to it. */
  readonly waterWithdrawalM3s: number;
  /** What a reservoir that is being filled must keep at least, and may keep at most. */
  readonly fillingMinRateM3s: number;
  readonly fillingInflowM3s: number;
}

/** Penalties for undesired operation of a hydro plant. */
export interface HydroPenalties {
  readonly spillageCost: number;
  readonly fphaTurbinedCost: number;
  readonly diversionCost: number;
  readonly storageViolationBelowCost: number;
  readonly fillingTargetViolationCost: number;
  readonly turbinedViolationBelowCost: number;
  readonly outflowViolationBelowCost: number;
  readonly outflowViolationAboveCost: number;
  readonly generationViolationBelowCost: number;
  readonly evaporationViolationCost: number;
  readonly waterWithdrawalViolationCost: number;
  readonly inflowNonnegativityCost: number;
}

/** Penalties by direction: above (`Pos`) or below (`Neg`) what is due. Without them both cost the same. */
export interface DirectionalPenalties {
  readonly evaporationViolationPosCost: number;
  readonly evaporationViolationNegCost: number;
  readonly waterWithdrawalViolationPosCost: number;
  readonly waterWithdrawalViolationNegCost: number;
}

/** What evaporates from the surface of a reservoir, by month. */
export interface Evaporation {
  /** Millimetres a month, from January to December. */
  readonly coefficientsMm: readonly number[];
  /** The volumes around which the surface is linearised; without them the middle of the storage range. */
  readonly referenceVolumesHm3?: readonly number[] | undefined;
}

/** The level below a plant by its outflow: a polynomial, or linear between points. */
export type Tailrace =
  | { readonly type: "polynomial"; readonly coefficients: readonly number[] }
  | {
      readonly type: "piecewise";
      /** In the order of their outflows. */
      readonly points: readonly { readonly outflowM3s: number; readonly heightM: number }[];
    };

/** What is lost of the head: a share of it, or metres. */
export interface HydraulicLosses {
  readonly type: "factor" | "constant";
  readonly value: number;
}

/** A channel through which water leaves a plant for another one than that downstream. */
export interface Diversion {
  readonly downstreamId: number;
  readonly maxFlowM3s: number;
}

/** Units of a hydro plant that feed the same bus. */
export interface UnitGroup {
  /** Unique within the plant. */
  readonly id: number;
  readonly name: string;
  readonly busId: number;
  readonly minTurbinedM3s: number;
  readonly maxTurbinedM3s: number;
  readonly minGenerationMw: number;
  readonly maxGenerationMw: number;
}

/** How a new reservoir is filled, from a stage on until its plant operates. */
export interface Filling {
  readonly startStageId: number;
  /** What is kept at least: the dead volume is due in the last stage of filling, and before it less by what this rate adds. */
  readonly minRateM3s: number;
  /** What is kept at most; the dead volume is then due in the last stage alone. Without it there is no such limit. */
  readonly inflowM3s?: number | undefined;
}

/** A plant with a reservoir, in a cascade: its outflow arrives downstream in the same stage unless it takes time. */
export interface Hydro extends HydroBounds, Lifetime, Ordered {
  readonly id: number;
  readonly name: string;
  /** Of a plant with groups, that of the first one. */
  readonly busId: number;
  /** Without them all units feed one bus, with the limits of the plant. */
  readonly unitGroups?: readonly UnitGroup[] | undefined;
  readonly downstreamId?: number | undefined;
  /** How long turbined and spilled water takes to the plant downstream; without it none. */
  readonly travelTimeHours?: number | undefined;
  readonly diversion?: Diversion | undefined;
  /** Not there if the plant only generates below the planes of a production function. */
  readonly productivityMwPerM3s?: number | undefined;
  readonly evaporation?: Evaporation | undefined;
  readonly filling?: Filling | undefined;
  /** Power of 1 m³/s for each metre of head, for energies that are reckoned from water. */
  readonly specificProductivity?: number | undefined;
  /** These three are for planes fitted to the geometry. */
  readonly tailrace?: Tailrace | undefined;
  readonly hydraulicLosses?: HydraulicLosses | undefined;
  readonly efficiency?: number | undefined;
  readonly penalties: HydroPenalties & DirectionalPenalties;
}

/** A bus as the file gives it. Missing values are taken from the global penalties. */
export type BusInput = Omit<Bus, "deficitSegments" | "excessCost"> & {
  readonly deficitSegments?: readonly DeficitSegment[] | undefined;
};

/** A line as the file gives it. */
export type LineInput = Omit<Line, "exchangeCost"> & { readonly exchangeCost?: number | undefined };

/** A hydro plant as the file gives it. */
export type HydroInput = Omit<Hydro, "penalties"> & {
  readonly penalties?: Partial<HydroPenalties & DirectionalPenalties> | undefined;
};
