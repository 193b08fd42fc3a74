/** The plants of a small system. */
import { type Draw, rounded, total } from "./draw.js";
import type { SmallBounds, SmallHydro, SmallInflow, SmallStage } from "./system.js";

/** The volume of one m³/s in an hour, in hm³. */
export const VOLUME_PER_HOUR = 0.0036;

/** What all plants of a system have in common. */
export interface HydroSetting {
  readonly stages: readonly SmallStage[];
  /** Inflows that are hardly ever negative. */
  readonly isCalm: boolean;
  /** The highest order of the autoregressions. */
  readonly order: number;
  readonly isAnnual: boolean;
}

export class HydroGenerator {
  private readonly draw: Draw;
  private readonly stages: readonly SmallStage[];
  private readonly isCalm: boolean;
  private readonly order: number;
  private readonly isAnnual: boolean;

  constructor(draw: Draw, { stages, isCalm, order, isAnnual }: HydroSetting) {
    this.draw = draw;
    this.stages = stages;
    this.isCalm = isCalm;
    this.order = order;
    this.isAnnual = isAnnual;
  }

  /** @param below the plants into which its water may flow */
  hydro(id: number, below: readonly number[], buses: readonly number[]): SmallHydro {
    const mean = this.draw.number(10, 70);
    const hours = this.stages.reduce((sum, stage) => sum + total(stage.hours), 0);
    /** The volume of the mean inflow of a stage. */
    const volume = (mean * VOLUME_PER_HOUR * hours) / this.stages.length;
    const minStorage = this.draw.chance(0.5) ? this.draw.number(0, 0.5 * volume) : 0;
    const room = this.draw.chance(0.15) ? 0 : this.draw.number(0.3 * volume, 4 * volume);
    const maxStorage = rounded(minStorage + room);
    const productivity = this.draw.number(0.4, 1.6);
    const maxTurbined = this.draw.number(0.8 * mean, 4 * mean);
    const isWide = this.draw.chance(0.5);
    const maxGeneration = rounded(
      this.draw.number(isWide ? 1 : 0.3, isWide ? 5 : 0.95) * productivity * maxTurbined,
    );
    const minOutflow = this.draw.chance(0.4) ? this.draw.number(0.2 * mean, 1.5 * mean) : 0;
    const bounds: SmallBounds = {
      minStorage,
      maxStorage,
      minOutflow,
      maxOutflow: this.draw.chance(0.5)
        ? rounded(minOutflow + this.draw.number(0.1 * mean, 1.5 * mean))
        : null,
      minTurbined: this.draw.chance(0.4)
        ? this.draw.number(0.1 * maxTurbined, 0.9 * maxTurbined)
        : 0,
      maxTurbined,
      minGeneration: this.draw.chance(0.4)
        ? this.draw.number(0.1 * maxGeneration, 0.9 * maxGeneration)
        : 0,
      maxGeneration,
    };
    const length = this.isAnnual ? 12 : this.order;
    const inflow = () => ({
      mean: this.draw.number(0.5 * mean, 1.5 * mean),
      std: this.deviation(mean),
    });
    let least = minStorage;
    return {
      id,
      life: { entry: null, exit: null },
      bus: this.draw.pick(buses),
      downstream: below.length > 0 && this.draw.chance(0.75) ? this.draw.pick(below) : null,
      travel: null,
      diversion: null,
      productivity,
      production: this.stages.map(() => null),
      turbinedCost: null,
      evaporation: null,
      filling: null,
      groups: null,
      withdrawal: this.stages.map(() => 0),
      waterPenalties: {},
      stageWaterPenalties: this.stages.map(() => ({})),
      bounds,
      penalties: this.draw.chance(0.5) ? this.draw.some(this.draw.penalties()) : {},
      storage: this.draw.number(minStorage, maxStorage),
      past: Array.from({ length: this.draw.chance(0.9) ? length : 0 }, () =>
        this.draw.number(0.3 * mean, 1.7 * mean),
      ),
      before: Array.from({ length }, inflow),
      stages: this.stages.map(({ openings }): SmallInflow => {
        const own = this.boundsOfStage(bounds, least);
        least = own.minStorage ?? least;
        return {
          ...this.inflow(inflow()),
          noise: this.draw.noise(openings, this.isCalm),
          ...this.overrides(own),
        };
      }),
      boundary: [],
    };
  }

  private deviation(mean: number): number {
    if (!this.isCalm && this.draw.chance(0.1)) return 0;
    return this.isCalm
      ? this.draw.number(0.05 * mean, 0.35 * mean)
      : this.draw.number(0.2 * mean, 1.3 * mean);
  }

  private inflow(statistics: { mean: number; std: number }) {
    const hasLags = this.order > 0 && statistics.std > 0 && this.draw.chance(0.8);
    const lags = hasLags ? 1 + this.draw.below(this.order) : 0;
    return {
      ...statistics,
      coefficients: Array.from({ length: lags }, () => this.draw.number(-0.4, 0.8)),
      ratio: this.draw.number(0.3, 1),
      annual:
        this.isAnnual && statistics.std > 0 && this.draw.chance(0.7)
          ? { coefficient: this.draw.number(-0.3, 0.6), std: this.draw.number(3, 15) }
          : null,
    };
  }

  private overrides(bounds: Partial<SmallBounds>) {
    return {
      bounds,
      penalties: this.draw.chance(0.25) ? this.draw.some(this.draw.penalties()) : {},
    };
  }

  /** Limits that do not contradict each other. The least storage never rises, so that it can always be kept. */
  private boundsOfStage(own: SmallBounds, least: number): Partial<SmallBounds> {
    const keeps = least < own.minStorage ? { minStorage: least } : {};
    if (!this.draw.chance(0.35)) return keeps;
    const lower = (min: number) => this.draw.number(0.3 * min, min);
    /** Above or below the plant's own limit, but not below its minimum. */
    const another = (min: number, max: number) => this.draw.number(min, min + 1.6 * (max - min));
    return {
      ...this.draw.some({
        maxStorage: another(own.minStorage, own.maxStorage),
        minOutflow: lower(own.minOutflow),
        maxOutflow: another(own.minOutflow, own.maxOutflow ?? 2 * own.minOutflow + 20),
        minTurbined: lower(own.minTurbined),
        maxTurbined: another(own.minTurbined, own.maxTurbined),
        minGeneration: lower(own.minGeneration),
        maxGeneration: another(own.minGeneration, own.maxGeneration),
      }),
      ...keeps,
      ...(this.draw.chance(0.5) ? { minStorage: lower(least) } : {}),
    };
  }
}
