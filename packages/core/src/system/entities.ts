/**
 * The things a power system is made of. Volumes are in hm³, flows in m³/s, power in MW, costs in $ per MWh, or per
 * m³/s and hour. What has no upper limit has Infinity.
 */

/** Load that is not met, up to a depth, at a cost. */
export interface DeficitSegment {
  readonly depthMw: number;
  readonly costPerMwh: number;
}

/** A node of the network. */
export interface Bus {
  readonly id: number;
  readonly name: string;
  /** Ever more expensive; the last one has no depth limit. */
  readonly deficitSegments: readonly DeficitSegment[];
  readonly excessCost: number;
}

/** A connection of two buses; flow from source to target is direct, the other way reverse. */
export interface Line {
  readonly id: number;
  readonly name: string;
  readonly sourceBusId: number;
  readonly targetBusId: number;
  readonly directMw: number;
  readonly reverseMw: number;
  readonly exchangeCost: number;
}

/** A plant that burns something. */
export interface Thermal {
  readonly id: number;
  readonly name: string;
  readonly busId: number;
  readonly minGenerationMw: number;
  readonly maxGenerationMw: number;
  readonly costPerMwh: number;
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

/** What it costs to run a hydro plant in a way it should not be run. */
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

/** A plant with a reservoir, in a cascade: what leaves it arrives downstream in the same stage. */
export interface Hydro extends HydroBounds {
  readonly id: number;
  readonly name: string;
  readonly busId: number;
  readonly downstreamId?: number | undefined;
  readonly productivityMwPerM3s: number;
  readonly penalties: HydroPenalties;
}

/** A bus as it is written: what is left out is the global penalty's. */
export type BusInput = Omit<Bus, "deficitSegments" | "excessCost"> & {
  readonly deficitSegments?: readonly DeficitSegment[] | undefined;
};

/** A line as it is written. */
export type LineInput = Omit<Line, "exchangeCost"> & { readonly exchangeCost?: number | undefined };

/** A hydro plant as it is written. */
export type HydroInput = Omit<Hydro, "penalties"> & {
  readonly penalties?: Partial<HydroPenalties> | undefined;
};
