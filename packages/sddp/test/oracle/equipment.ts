/**
 * What a small system has besides plants, buses, lines and their limits by stage. It is drawn apart from the rest, so that the rest of a
 * system does not depend on it.
 */
import { isIn, type SmallLife, type SmallSystem } from "./system.js";

/** A non-controllable source in a stage. */
export interface SmallAvailability {
  /** What is available, if the source has no statistics. Null: all its power. */
  readonly available: number | null;
  /** Statistics of the available share. They count only if the source has statistics at all. */
  readonly mean: number;
  readonly std: number;
  /** For each opening. */
  readonly noise: readonly number[];
  /** For each block; null means 1 everywhere. */
  readonly factors: readonly number[] | null;
  /** What curtailment costs in this stage, if not what it costs elsewhere. */
  readonly cost: number | null;
}

/** A source of wind or sun: what is available is used or curtailed. */
export interface SmallSource extends SmallLife {
  readonly id: number;
  readonly bus: number;
  readonly max: number;
  /** Of curtailment, in $ per MWh. Null: that of the whole system. */
  readonly cost: number | null;
  /** Whether less than what is available may be used. */
  readonly curtails: boolean;
  readonly isUncertain: boolean;
  readonly stages: readonly SmallAvailability[];
}

/** A sum of variables that must stand to bounds as its sense says. */
export interface SmallConstraint {
  readonly id: number;
  readonly sense: ">=" | "<=" | "==";
  /** What a unit of violation costs in an hour. Null: it must not be violated. */
  readonly penalty: number | null;
  readonly terms: readonly {
    readonly coefficient: number;
    readonly variable: string;
    readonly id: number;
    /** Null: the block of the row. */
    readonly block: number | null;
  }[];
  /** Where it holds. Without a block it holds in every block of the stage. */
  readonly bounds: readonly {
    /** Counted from 0. */
    readonly stage: number;
    readonly block: number | null;
    readonly bound: number;
  }[];
}

/** Limits of an entity in a single block. Cobre 0.5 does not look at them. */
export interface SmallBlockLimits {
  readonly kind: "thermal" | "line" | "hydro";
  readonly id: number;
  /** Counted from 0, like the block. */
  readonly stage: number;
  readonly block: number;
  /** By the names that the entity's own limits have. */
  readonly values: Readonly<Record<string, number>>;
}

/** Factors on the capacities of a line in the blocks of a stage. */
export interface SmallLineFactors {
  readonly line: number;
  readonly stage: number;
  readonly direct: readonly number[];
  readonly reverse: readonly number[];
}

/** Pumps between two reservoirs. Cobre 0.5 reads them and does nothing with them. */
export interface SmallPump extends SmallLife {
  readonly id: number;
  readonly bus: number;
  readonly from: number;
  readonly to: number;
  /** In MW per m³/s. */
  readonly consumption: number;
  readonly min: number;
  readonly max: number;
  readonly stages: readonly { readonly min?: number; readonly max?: number }[];
}

/** Energy that is bought or sold. Cobre 0.5 reads contracts and does nothing with them. */
export interface SmallContract extends SmallLife {
  readonly id: number;
  readonly bus: number;
  readonly isImport: boolean;
  /** In $ per MWh; negative: a revenue. */
  readonly price: number;
  readonly min: number;
  readonly max: number;
  readonly stages: readonly {
    readonly min?: number;
    readonly max?: number;
    readonly price?: number;
  }[];
}

export interface SmallEquipment {
  readonly pumps: readonly SmallPump[];
  readonly contracts: readonly SmallContract[];
  readonly blockLimits: readonly SmallBlockLimits[];
  readonly lineFactors: readonly SmallLineFactors[];
  readonly curtailmentCost: number;
  readonly sources: readonly SmallSource[];
  readonly constraints: readonly SmallConstraint[];
}

export const NO_EQUIPMENT: SmallEquipment = {
  pumps: [],
  contracts: [],
  blockLimits: [],
  lineFactors: [],
  curtailmentCost: 1,
  sources: [],
  constraints: [],
};

/** The system with nothing but plants, buses and lines. */
export function withoutEquipment(system: SmallSystem): SmallSystem {
  return { ...system, equipment: NO_EQUIPMENT };
}

/** The sources with noise, as a noise vector has them: after the loads. */
export function uncertainSourcesById({ equipment }: SmallSystem): readonly SmallSource[] {
  return equipment.sources.filter(({ isUncertain }) => isUncertain).sort((a, b) => a.id - b.id);
}

/** The limits of an entity in a block: those of its stage, unless the block has others. */
export function limitsIn<L extends object>(
  { compat, equipment }: SmallSystem,
  kind: SmallBlockLimits["kind"],
  id: number,
  stage: number,
  block: number,
  limits: L,
): L {
  if (compat) return limits;
  const isIt = (other: { readonly kind: string; readonly id: number }) =>
    other.kind === kind && other.id === id;
  const own = equipment.blockLimits.find(
    (other) => isIt(other) && other.stage === stage && other.block === block,
  );
  return { ...limits, ...own?.values };
}

/** The capacities of a line in a block. */
export function capacitiesIn(
  system: SmallSystem,
  id: number,
  stage: number,
  block: number,
  limits: { readonly direct: number; readonly reverse: number },
): { readonly direct: number; readonly reverse: number } {
  const { direct, reverse } = limitsIn(system, "line", id, stage, block, limits);
  const factors = system.equipment.lineFactors.find(
    (other) => other.line === id && other.stage === stage,
  );
  return {
    direct: direct * (factors?.direct[block] ?? 1),
    reverse: reverse * (factors?.reverse[block] ?? 1),
  };
}

/** What a source can generate in each block, and what curtailment costs. Cobre 0.5 does not look at the costs of single stages. */
export function sourceIn(
  { stages, compat, equipment }: SmallSystem,
  source: SmallSource,
  stage: number,
  opening: number,
): { readonly available: readonly number[]; readonly cost: number } {
  const { available, mean, std, noise, factors, cost } = source.stages[stage];
  const share = Math.min(1, Math.max(0, mean + std * noise[opening]));
  const power = source.isUncertain ? share * source.max : (available ?? source.max);
  const isThere = isIn(source, stages[stage].id);
  const usual = source.cost ?? equipment.curtailmentCost;
  return {
    available: stages[stage].hours.map((_, k) => (isThere ? power * (factors?.[k] ?? 1) : 0)),
    cost: compat ? usual : (cost ?? usual),
  };
}
