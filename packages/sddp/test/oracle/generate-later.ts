/**
 * What was added to the model later. It has draws of its own, so that the rest of a system does not depend on it.
 */
import { decidingStage, deliveriesOf, furthestOf, supplyOf } from "./commitments.js";
import { Draw, rounded, total } from "./draw.js";
import { VOLUME_PER_HOUR } from "./generate-hydros.js";
import type { SmallGroup, SmallHydro, SmallSystem, SmallThermal } from "./system.js";
import { depthOf } from "./travel.js";

/** Far from the seeds of systems and of equipment. */
const APART = 11_000_003;

/** The system with what was added later. Cobre 0.5 has none of it. */
export function withLaterFeatures(system: SmallSystem): SmallSystem {
  if (system.compat) return system;
  const draw = new Draw(system.seed + APART);
  const linked = withCommitments(withTravelTimes(withFillings(system, draw), draw), draw);
  return withLosses(withGroups(linked, draw), draw);
}

/** The system without it: all plants operate, water takes no time, nothing is committed ahead or lost, and each plant feeds one bus. */
export function withoutLaterFeatures(system: SmallSystem): SmallSystem {
  const always = { entry: null, exit: null };
  return {
    ...system,
    postStudy: [],
    lines: system.lines.map((line) => ({ ...line, losses: 0 })),
    thermals: system.thermals.map((thermal) => ({ ...thermal, lead: null, behind: [] })),
    hydros: system.hydros.map((hydro) => ({
      ...hydro,
      life: hydro.filling === null ? hydro.life : always,
      filling: null,
      travel: null,
      groups: null,
    })),
  };
}

/** Reservoirs that are filled before their plants operate. A negative inflow that nobody mends may be more than they have. */
function withFillings(system: SmallSystem, draw: Draw): SmallSystem {
  const { stages, hydros, method } = system;
  if (!draw.chance(0.25) || stages.length < 2 || method === "none") return system;
  const filled = (hydro: SmallHydro): SmallHydro => {
    const { maxStorage } = hydro.bounds;
    if (!draw.chance(0.5) || maxStorage === 0) return hydro;
    const entry = 1 + draw.below(stages.length - 1);
    const first = draw.below(entry);
    const dead = rounded(draw.number(0.1, 0.7) * maxStorage);
    const hours = stages.reduce((sum, stage) => sum + total(stage.hours), 0) / stages.length;
    /** What would fill the reservoir in a stage or two. */
    const rate = () => rounded((draw.number(0.1, 0.8) * dead) / (VOLUME_PER_HOUR * hours));
    return {
      ...hydro,
      life: { entry: stages[entry].id, exit: null },
      filling: {
        start: stages[first].id,
        rate: rate(),
        isMost: draw.chance(0.3),
        stages: stages.map(() => (draw.chance(0.3) ? rate() : null)),
      },
      storage: draw.chance(0.5) ? 0 : rounded(draw.number(0, 0.5) * dead),
      bounds: { ...hydro.bounds, minStorage: dead },
      evaporation: hydro.evaporation && { ...hydro.evaporation, references: null },
      waterPenalties: {
        ...hydro.waterPenalties,
        fillingTarget: draw.number(500, 60_000),
        storageBelow: draw.number(500, 60_000),
      },
      // Limits of single stages would lie below the dead volume.
      stages: hydro.stages.map((cell) => {
        const { minStorage: _min, maxStorage: _max, ...bounds } = cell.bounds;
        return { ...cell, bounds };
      }),
    };
  };
  return { ...system, hydros: hydros.map(filled) };
}

/** Water that takes from a part of a stage to more than two of them. */
function withTravelTimes(system: SmallSystem, draw: Draw): SmallSystem {
  const { stages, hydros, boundary } = system;
  if (!draw.chance(0.35)) return system;
  const lengths = stages.map(({ hours }) => total(hours));
  const travelling = hydros.map((hydro): SmallHydro => {
    if (hydro.downstream === null || !draw.chance(0.7)) return hydro;
    const length = draw.pick(lengths);
    const hours = draw.chance(0.2) ? length : rounded(draw.number(0.1, 2.5) * length);
    const days = Math.ceil(hours / 24);
    const middle = draw.below(days + 1);
    const windows = [
      { since: days + draw.below(3), until: middle, value: draw.number(0, 60) },
      { since: middle, until: 0, value: draw.number(0, 60) },
    ];
    return {
      ...hydro,
      travel: { hours, past: windows.filter(({ since, until }) => since > until) },
    };
  });
  const changed = { ...system, hydros: travelling };
  if (boundary === null) return changed;
  return {
    ...changed,
    hydros: travelling.map((hydro, h) => ({
      ...hydro,
      boundary: hydro.boundary.map((cut) => ({
        ...cut,
        transit: Array.from({ length: depthOf(changed, h) }, () =>
          Math.round(cut.storage * draw.number(0.3, 1.2)),
        ),
      })),
    })),
  };
}

/** Thermal plants that are committed ahead, some of them for stages behind the study. */
function withCommitments(system: SmallSystem, draw: Draw): SmallSystem {
  const { stages, thermals, boundary } = system;
  if (!draw.chance(0.35) || thermals.length === 0) return system;
  const lengths = stages.map(({ hours }) => total(hours));
  const postStudy = draw.chance(0.5)
    ? Array.from({ length: 1 + draw.below(2) }, () => ({ hours: 24 * (1 + draw.below(10)) }))
    : [];
  const withStages = { ...system, postStudy };
  const committed = (thermal: SmallThermal): SmallThermal => {
    if (!draw.chance(0.6)) return thermal;
    const isOfStages = draw.chance(0.5);
    const length = draw.pick(lengths);
    const hours = draw.chance(0.2) ? length : rounded(draw.number(0.2, 2.5) * length);
    const own: SmallThermal = {
      ...thermal,
      lead: { stages: isOfStages ? 1 + draw.below(3) : null, hours, past: [] },
      behind: postStudy.map(() => {
        const min = draw.chance(0.3) ? draw.number(0, 5) : 0;
        return { min, max: rounded(min + draw.number(0, 30)), cost: draw.number(5, 120) };
      }),
    };
    const past = Array.from({ length: deliveriesOf(withStages) }, (_, m) => {
      const { min, max } = supplyOf(withStages, own, m);
      const value = Math.min(Math.max(draw.number(min, max), min), max);
      return decidingStage(withStages, own, m) < 0 ? value : 0;
    });
    const withPast = { ...own, lead: { stages: own.lead?.stages ?? null, hours, past } };
    return {
      ...withPast,
      boundary: (boundary ?? []).map(() =>
        Array.from({ length: furthestOf(withStages, withPast) }, () =>
          Math.round(-draw.number(-20, 150) * 24),
        ),
      ),
    };
  };
  return { ...withStages, thermals: thermals.map(committed) };
}

/** Plants whose units feed two buses, or one bus in two groups. */
function withGroups(system: SmallSystem, draw: Draw): SmallSystem {
  const { stages, buses, hydros } = system;
  if (!draw.chance(0.3)) return system;
  const grouped = (hydro: SmallHydro): SmallHydro => {
    if (!draw.chance(0.6)) return hydro;
    const { minTurbined, maxTurbined, minGeneration, maxGeneration } = hydro.bounds;
    const part = draw.number(0.1, 0.9);
    const ids = draw.ids(2);
    const groups = ids.map((id, i): SmallGroup => {
      const share = i === 0 ? part : 1 - part;
      const usual = {
        minTurbined: minTurbined * share,
        maxTurbined: maxTurbined * share,
        minGeneration: minGeneration * share,
        maxGeneration: maxGeneration * share,
      };
      return {
        id,
        bus: draw.pick(buses).id,
        ...usual,
        own: stages.flatMap(({ hours }, stage) => {
          if (!draw.chance(0.3)) return [];
          const block = draw.chance(0.5) ? draw.below(hours.length) : null;
          const factor = draw.number(0.3, 1);
          const limits = draw.some({
            minTurbined: usual.minTurbined * factor,
            maxTurbined: Math.max(usual.maxTurbined * factor, usual.minTurbined),
            minGeneration: usual.minGeneration * factor,
            maxGeneration: Math.max(usual.maxGeneration * factor, usual.minGeneration),
          });
          return [{ stage, block, limits }];
        }),
      };
    });
    return { ...hydro, bus: groups[0].bus, groups };
  };
  return { ...system, hydros: hydros.map(grouped) };
}

function withLosses(system: SmallSystem, draw: Draw): SmallSystem {
  if (!draw.chance(0.4)) return system;
  return {
    ...system,
    lines: system.lines.map((line) => ({
      ...line,
      losses: draw.chance(0.7) ? draw.number(0.5, 20) : 0,
    })),
  };
}
