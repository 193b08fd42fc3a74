/** What a small system says about one stage, with the values of the stage in place of the general ones. Entities are in the order of their ids. */
import {
  discountOf,
  diversionOf,
  evaporationOf,
  existsIn,
  hydrosById,
  isSoft,
  type SmallBounds,
  type SmallHydro,
  type SmallPenalties,
  type SmallPlane,
  type SmallSegment,
  type SmallSystem,
  type SmallWaterPenalties,
  waterPenaltiesOf,
} from "../oracle/index.js";

/** The volume of one m³/s in an hour, in hm³. */
const VOLUME_PER_HOUR = 0.0036;

export interface StageHydro {
  readonly id: number;
  readonly bus: number;
  /** The plants whose outflow arrives here. */
  readonly upstream: readonly number[];
  /** What it diverts, and the plants that divert to it. */
  readonly diversion: ReturnType<typeof diversionOf>;
  readonly diverting: readonly number[];
  /** The productivity of the stage and that of the least generation, unless planes limit the generation. */
  readonly productivity: number;
  readonly limitedProductivity: number;
  readonly planes: readonly SmallPlane[] | null;
  readonly turbinedCost: number;
  /** What evaporates and what is taken, their penalties, and whether the least storage is only a wish. */
  readonly due: ReturnType<typeof evaporationOf>;
  readonly taken: number;
  readonly mostLess: number;
  readonly usePenalties: SmallWaterPenalties;
  readonly isSoft: boolean;
  /** Whatever the stage says. */
  readonly minStorageOfPlant: number;
  readonly bounds: SmallBounds;
  readonly penalties: SmallPenalties;
}

export interface StageLine {
  readonly id: number;
  readonly source: number;
  readonly target: number;
  readonly direct: number;
  readonly reverse: number;
  readonly cost: number;
}

export interface StageThermal {
  readonly id: number;
  readonly bus: number;
  readonly min: number;
  readonly max: number;
  readonly cost: number;
}

export interface StageBus {
  readonly id: number;
  readonly segments: readonly SmallSegment[];
  readonly excessCost: number;
}

export interface StageData {
  readonly id: number;
  /** Counted from 0. */
  readonly stage: number;
  /** The hours and the volumes per m³/s of each block. */
  readonly hours: readonly number[];
  readonly volumes: readonly number[];
  /** What a $ at the start of the next stage is worth at the start of this one. */
  readonly discount: number;
  readonly hydros: readonly StageHydro[];
  readonly lines: readonly StageLine[];
  readonly thermals: readonly StageThermal[];
  readonly buses: readonly StageBus[];
}

export function stageDataOf(system: SmallSystem, stage: number): StageData {
  const { id, hours } = system.stages[stage];
  return {
    id,
    stage,
    hours,
    volumes: hours.map((value) => VOLUME_PER_HOUR * value),
    discount: discountOf(system, system.stages[stage]),
    hydros: hydrosById(system).map((hydro) => ({
      ...hydro,
      upstream: system.hydros.filter(({ downstream }) => downstream === hydro.id).map(idOf),
      diversion: diversionOf(system, hydro, stage),
      ...productionOf(system, hydro, stage),
      due: evaporationOf(system, hydro, stage),
      taken: hydro.withdrawal[stage],
      // Cobre 0.5 makes water at this price.
      mostLess: system.compat ? Number.POSITIVE_INFINITY : hydro.withdrawal[stage],
      usePenalties: waterPenaltiesOf(system, hydro, stage),
      isSoft: isSoft(system, hydro),
      diverting: system.hydros.filter(({ diversion }) => diversion?.target === hydro.id).map(idOf),
      minStorageOfPlant: hydro.bounds.minStorage,
      bounds: { ...hydro.bounds, ...hydro.stages[stage].bounds },
      penalties: { ...system.penalties, ...hydro.penalties, ...hydro.stages[stage].penalties },
    })),
    lines: byId(system.lines).map((line) => ({
      ...line,
      cost: line.cost ?? system.exchangeCost,
      ...line.stages[stage],
      ...(existsIn(system, line, stage) ? {} : { direct: 0, reverse: 0 }),
    })),
    thermals: byId(system.thermals).map((thermal) => ({
      ...thermal,
      ...thermal.stages[stage],
      ...(existsIn(system, thermal, stage) ? {} : { min: 0, max: 0 }),
    })),
    buses: byId(system.buses).map(({ id: bus, segments, stages }) => ({
      id: bus,
      segments: segments ?? system.segments,
      excessCost: stages[stage].excessCost ?? system.excessCost,
    })),
  };
}

function productionOf(system: SmallSystem, hydro: SmallHydro, stage: number) {
  const own = hydro.production[stage];
  const isFunction = own !== null && !("productivity" in own);
  const productivity = own !== null && !isFunction ? own.productivity : hydro.productivity;
  return {
    productivity,
    // Cobre 0.5 holds the minimum against the productivity of the plant, also in stages that have another one.
    limitedProductivity: system.compat ? hydro.productivity : productivity,
    planes: isFunction ? own : null,
    turbinedCost: isFunction ? (hydro.turbinedCost ?? system.turbinedCost) : 0,
  };
}

/** The loads of an opening: for each bus, for each block. */
export function loadsOf(system: SmallSystem, stage: number, opening: number): number[][] {
  return byId(system.buses).map(({ stages }) => {
    const { mean, std, noise, factors } = stages[stage];
    const load = Math.max(0, mean + (std > 0 ? std * noise[opening] : 0));
    return system.stages[stage].hours.map((_, k) => load * (factors?.[k] ?? 1));
  });
}

/** How an inflow follows from the past ones: level + Σ weight · past inflow, plus the deviation times the noise. */
export interface InflowRule {
  readonly level: number;
  /** For lag 1, 2, … */
  readonly weights: readonly number[];
  readonly deviation: number;
}

/** The rule of a plant in a stage. */
export function inflowRuleOf(hydro: SmallHydro, stage: number, lags: number): InflowRule {
  const { mean, std, coefficients, ratio, annual } = hydro.stages[stage];
  const at = (lag: number) =>
    lag <= stage ? hydro.stages[stage - lag] : hydro.before[lag - stage - 1];
  const weights = Array.from({ length: lags }, (_, i) => {
    const coefficient = coefficients[i] ?? 0;
    const then = coefficient === 0 ? undefined : at(i + 1);
    const own = then === undefined || then.std === 0 ? 0 : (coefficient * std) / then.std;
    const yearly = annual !== null && i < 12 ? (annual.coefficient * std) / annual.std / 12 : 0;
    return own + yearly;
  });
  const level = weights.reduce((sum, weight, i) => {
    return weight === 0 ? sum : sum - weight * (at(i + 1)?.mean ?? 0);
  }, mean);
  return { level, weights, deviation: coefficients.length > 0 ? std * ratio : std };
}

function idOf({ id }: { readonly id: number }): number {
  return id;
}

function byId<T extends { readonly id: number }>(entities: readonly T[]): readonly T[] {
  return [...entities].sort((a, b) => a.id - b.id);
}
