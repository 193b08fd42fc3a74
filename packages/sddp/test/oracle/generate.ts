/**
 * Small systems drawn from a seed: the same seed, the same system. Every feature of the model occurs often, and the numbers are
 * such that it matters: reservoirs run empty and full, lines congest, slacks cost as much as what they save. Whatever is drawn, every
 * stage has a solution for every state that can be reached.
 */
import { Draw, rounded, total } from "./draw.js";
import { NO_EQUIPMENT } from "./equipment.js";
import { withEquipment } from "./generate-equipment.js";
import { withChronology, withLives, withProduction, withWaterUse } from "./generate-features.js";
import { HydroGenerator, VOLUME_PER_HOUR } from "./generate-hydros.js";
import { withLaterFeatures } from "./generate-later.js";
import {
  lagsOf,
  type SmallBus,
  type SmallLine,
  type SmallLoad,
  type SmallMethod,
  type SmallSegment,
  type SmallStage,
  type SmallSystem,
  type SmallThermal,
} from "./system.js";
import { treeOf } from "./tree.js";

const MOST_PATHS = 18;

/** The system of this seed. */
export function generateSystem(seed: number): SmallSystem {
  return withEquipment(withLaterFeatures(new Generator(seed).system()));
}

class Generator {
  private readonly seed: number;
  private readonly draw: Draw;
  private readonly stages: readonly SmallStage[];
  private readonly isSampled: boolean;
  /** Inflows that are hardly ever negative. */
  private readonly isCalm: boolean;
  private readonly order: number;
  private readonly isAnnual: boolean;
  private readonly cuts: number;

  constructor(seed: number) {
    this.seed = seed;
    this.draw = new Draw(seed);
    this.isSampled = this.draw.chance(0.25);
    this.isCalm = this.draw.chance(0.5);
    this.order = this.draw.pick([0, 1, 1, 2]);
    this.isAnnual = this.draw.chance(0.08);
    this.cuts = this.draw.chance(0.35) ? 1 + this.draw.below(3) : 0;
    this.stages = this.drawStages();
  }

  system(): SmallSystem {
    const busIds = this.draw.ids(this.draw.pick([1, 2, 2, 3]));
    const hydroIds = this.draw.chance(0.04) ? [] : this.draw.ids(this.draw.pick([1, 1, 2, 2, 3]));
    const { stages, isCalm, order, isAnnual } = this;
    const generator = new HydroGenerator(this.draw, { stages, isCalm, order, isAnnual });
    const hydros = hydroIds.map((id, i) => generator.hydro(id, hydroIds.slice(i + 1), busIds));
    const cuts = hydros.length > 0 ? this.cuts : 0;
    const hasRisk = this.stages.some(({ risk }) => risk !== null);
    const isPaid = this.draw.chance(0.1);
    const system: SmallSystem = {
      seed: this.seed,
      stages: this.stages,
      annualRate: this.draw.chance(0.5) ? this.draw.number(0.05, 0.9) : 0,
      method: this.draw.pick<SmallMethod>([
        "none",
        "penalty",
        "penalty",
        "penalty",
        "truncation",
        "truncation_with_penalty",
      ]),
      compat: hasRisk && this.draw.chance(0.3),
      treeSeed: this.isSampled ? this.draw.below(1000) : null,
      boundary: null,
      postStudy: [],
      segments: this.segments(),
      excessCost: this.draw.number(0.1, 30),
      exchangeCost: this.draw.number(0.1, 20),
      diversionCost: 1,
      turbinedCost: 0,
      waterPenalties: {
        storageBelow: 50_000,
        fillingTarget: 80_000,
        evaporationPos: 500,
        evaporationNeg: 500,
        withdrawalPos: 500,
        withdrawalNeg: 500,
      },
      penalties: this.draw.penalties(),
      buses: busIds.map((id) => this.bus(id)),
      lines: this.lines(busIds),
      thermals: this.draw
        .ids(this.draw.pick([0, 1, 2, 2, 3]))
        .map((id) => this.thermal(id, busIds, isPaid)),
      hydros: this.draw.shuffled(hydros),
      equipment: NO_EQUIPMENT,
    };
    const solvable = withBoundary(withSolutions(system, this.isSampled), cuts, this.draw);
    const generating = withProduction(withDiversions(solvable, this.draw), this.draw);
    return withLives(withChronology(withWaterUse(generating, this.draw), this.draw), this.draw);
  }

  private drawStages(): readonly SmallStage[] {
    const count = this.draw.pick([2, 2, 3, 3, 3, 4]);
    const openings = Array.from({ length: count }, () => this.draw.pick([1, 2, 2, 3]));
    while (openings.reduce((a, b) => a * b, 1) > MOST_PATHS) {
      openings[openings.indexOf(Math.max(...openings))]--;
    }
    const isAverse = this.draw.chance(0.4);
    let id = this.draw.pick([0, 0, 0, 1, 4]) - 1;
    return openings.map((number, t) => {
      id += this.draw.pick([1, 1, 1, 2]);
      return {
        id,
        days: 20 + this.draw.below(200),
        hours: Array.from({ length: this.draw.pick([1, 2, 2, 3]) }, () =>
          this.draw.number(30, 250),
        ),
        openings: number,
        isChronological: false,
        season: null,
        risk:
          isAverse && this.draw.chance(0.7)
            ? { alpha: this.draw.number(0.1, 0.95), lambda: this.draw.pick([1, 0.25, 0.6, 0.9]) }
            : null,
        rate: t + 1 < count && this.draw.chance(0.25) ? this.draw.number(0, 1.5) : null,
        correlation:
          this.isSampled && this.draw.chance(0.8)
            ? { inflow: this.draw.number(-0.3, 0.95), load: this.draw.number(-0.3, 0.95) }
            : null,
      };
    });
  }

  private segments(): readonly SmallSegment[] {
    let cost = this.draw.number(100, 300);
    const finite = Array.from({ length: this.draw.below(3) }, () => {
      const segment = { depth: this.draw.number(3, 40), cost };
      cost += this.draw.number(50, 500);
      return segment;
    });
    return [...finite, { depth: null, cost }];
  }

  private bus(id: number): SmallBus {
    const isLoaded = this.draw.chance(0.9);
    const isUncertain = isLoaded && this.draw.chance(0.45);
    const mean = this.draw.number(20, 90);
    return {
      id,
      segments: this.draw.chance(0.4) ? this.segments() : null,
      stages: this.stages.map(({ openings, hours }): SmallLoad => {
        const own = this.draw.number(0.3 * mean, 1.7 * mean);
        return {
          mean: isLoaded ? own : 0,
          std: isUncertain && this.draw.chance(0.8) ? this.draw.number(0.1 * own, 0.9 * own) : 0,
          noise: this.draw.noise(openings, this.isCalm),
          factors: this.draw.chance(0.5) ? hours.map(() => this.draw.number(0.3, 1.8)) : null,
          excessCost: this.draw.chance(0.2) ? this.draw.number(0.1, 60) : null,
        };
      }),
    };
  }

  private lines(buses: readonly number[]): readonly SmallLine[] {
    if (buses.length < 2) return [];
    // Most buses are connected, some twice, some not at all.
    const pairs = buses
      .slice(1)
      .map((target, i) => [buses[i], target] as const)
      .filter(() => this.draw.chance(0.9));
    if (this.draw.chance(0.3)) pairs.push([buses[buses.length - 1], buses[0]]);
    const ids = this.draw.ids(pairs.length);
    return pairs.map(([source, target], i) => ({
      id: ids[i],
      life: { entry: null, exit: null },
      source,
      target,
      losses: 0,
      direct: this.draw.number(0, 60),
      reverse: this.draw.number(0, 60),
      cost: this.draw.chance(0.5) ? this.draw.number(0.1, 25) : null,
      stages: this.stages.map(() =>
        this.draw.chance(0.3)
          ? this.draw.some({
              direct: this.draw.number(0, 60),
              reverse: this.draw.number(0, 60),
              cost: this.draw.number(0.1, 40),
            })
          : {},
      ),
    }));
  }

  private thermal(id: number, buses: readonly number[], isPaid: boolean): SmallThermal {
    const min = this.draw.chance(0.3) ? this.draw.number(1, 20) : 0;
    const max = rounded(min + this.draw.number(5, 70));
    const cost = () =>
      isPaid && this.draw.chance(0.5) ? this.draw.number(-40, 0) : this.draw.number(5, 150);
    return {
      id,
      life: { entry: null, exit: null },
      bus: this.draw.pick(buses),
      min,
      max,
      cost: cost(),
      lead: null,
      behind: [],
      boundary: [],
      stages: this.stages.map(() =>
        this.draw.chance(0.5)
          ? this.draw.some({
              min: this.draw.number(0, min),
              max: this.draw.number(min, 1.5 * max),
              cost: cost(),
            })
          : {},
      ),
    };
  }
}

/**
 * A negative inflow takes water that may not be there. Without any method against it, the system is left as it is only if each such inflow
 * can be taken from storage that no earlier stage may use.
 */
function withSolutions(system: SmallSystem, isSampled: boolean): SmallSystem {
  if (system.method !== "none") return system;
  const isShort = treeOf(system).some(({ stage, inflow }) =>
    system.hydros.some(({ storage, bounds, stages }, h) => {
      const leastAt = (at: number) =>
        at < 0 ? storage : (stages[at].bounds.minStorage ?? bounds.minStorage);
      const volume = inflow[h] * VOLUME_PER_HOUR * total(system.stages[stage].hours);
      return leastAt(stage - 1) + volume < leastAt(stage);
    }),
  );
  const others = ["penalty", "truncation", "truncation_with_penalty"] as const;
  return isShort || isSampled ? { ...system, method: others[system.seed % 3] } : system;
}

/** Channels between plants. They are drawn last, so that the rest of a system does not depend on them. */
function withDiversions(system: SmallSystem, draw: Draw): SmallSystem {
  const { hydros, stages } = system;
  if (hydros.length < 2 || !draw.chance(0.35)) return system;
  return {
    ...system,
    diversionCost: draw.number(0.01, 20),
    hydros: hydros.map((hydro) => {
      if (!draw.chance(0.6)) return hydro;
      const max = draw.number(1, 40);
      const others = hydros.filter(({ id }) => id !== hydro.id);
      return {
        ...hydro,
        diversion: {
          target: draw.pick(others).id,
          max,
          cost: draw.chance(0.4) ? draw.number(0.01, 20) : null,
          stages: stages.map(() =>
            draw.chance(0.3)
              ? draw.some({ max: draw.number(0, 2 * max), cost: draw.number(0.01, 30) })
              : {},
          ),
        },
      };
    }),
  };
}

/** Cuts of a future in which water is worth about what it is worth in the study. */
function withBoundary(system: SmallSystem, cuts: number, draw: Draw): SmallSystem {
  if (cuts === 0) return system;
  const lags = lagsOf(system);
  const hydros = system.hydros.map((hydro) => ({
    ...hydro,
    boundary: Array.from({ length: cuts }, () => {
      const slope = Math.round((-hydro.productivity * draw.number(-5, 100)) / VOLUME_PER_HOUR);
      const lagSlopes = Array.from({ length: lags }, () =>
        Math.round(slope * draw.number(-0.1, 0.4)),
      );
      return { storage: slope, lags: lagSlopes, transit: [] };
    }),
  }));
  const boundary = Array.from({ length: cuts }, (_, cut) => {
    const middle = hydros.reduce((sum, { bounds, boundary: slopes }) => {
      return sum + slopes[cut].storage * bounds.maxStorage * draw.number(0.3, 1);
    }, 0);
    return Math.round(draw.number(0, 50_000) - middle);
  });
  return { ...system, hydros, boundary };
}
