/** Features of hydro plants that are drawn last, one after the other, so that the rest of a system does not depend on them. */
import { type Draw, rounded } from "./draw.js";
import type {
  SmallEvaporation,
  SmallHydro,
  SmallPlane,
  SmallProduction,
  SmallSystem,
  SmallWaterPenalties,
} from "./system.js";

/** Other productivities in some stages, and production functions. */
export function withProduction(system: SmallSystem, draw: Draw): SmallSystem {
  if (system.hydros.length === 0 || !draw.chance(0.4)) return system;
  return {
    ...system,
    turbinedCost: draw.chance(0.7) ? draw.number(0.01, 10) : 0,
    hydros: system.hydros.map((hydro) => {
      if (!draw.chance(0.7)) return hydro;
      const isAlways = draw.chance(0.5);
      return {
        ...hydro,
        turbinedCost: draw.chance(0.3) ? draw.number(0, 20) : null,
        production: system.stages.map((): SmallProduction => {
          if (isAlways || draw.chance(0.5)) return planes(hydro, draw);
          if (draw.chance(0.4)) return null;
          return { productivity: rounded(hydro.productivity * draw.number(0.5, 1.5)) };
        }),
      };
    }),
  };
}

/** Evaporation, withdrawal, and plants that start below their least storage. */
export function withWaterUse(system: SmallSystem, draw: Draw): SmallSystem {
  if (system.hydros.length === 0 || !draw.chance(0.4)) return system;
  const first = draw.below(12);
  const penalties = (): Omit<SmallWaterPenalties, "fillingTarget"> => ({
    storageBelow: draw.number(500, 60_000),
    evaporationPos: draw.number(5, 300),
    evaporationNeg: draw.number(5, 300),
    withdrawalPos: draw.number(5, 300),
    withdrawalNeg: draw.number(5, 300),
  });
  // A negative inflow that nobody mends may be more than a plant has that starts lower.
  const lower = (low: number, { storage }: SmallHydro) =>
    system.method === "none" ? storage : low;
  return {
    ...system,
    stages: system.stages.map((stage, t) => ({ ...stage, season: (first + t) % 12 })),
    waterPenalties: { ...system.waterPenalties, ...penalties() },
    hydros: system.hydros.map((hydro) => {
      const { minStorage } = hydro.bounds;
      const isLow = !system.compat && minStorage > 0 && draw.chance(0.3);
      return {
        ...hydro,
        evaporation: draw.chance(0.5) ? evaporation(hydro, draw) : null,
        withdrawal: system.stages.map(() => (draw.chance(0.5) ? draw.number(-5, 25) : 0)),
        waterPenalties: draw.chance(0.5) ? draw.some(penalties()) : {},
        stageWaterPenalties: system.stages.map(() =>
          draw.chance(0.3) ? draw.some(penalties()) : {},
        ),
        storage: isLow ? lower(draw.number(0, 0.99 * minStorage), hydro) : hydro.storage,
      };
    }),
  };
}

/** Stages whose blocks follow each other. */
export function withChronology(system: SmallSystem, draw: Draw): SmallSystem {
  if (!draw.chance(0.3)) return system;
  return {
    ...system,
    stages: system.stages.map((stage) => ({ ...stage, isChronological: draw.chance(0.7) })),
  };
}

/** Plants that come or go within the study. Thermal plants and lines that do are drawn with the equipment. */
export function withLives(system: SmallSystem, draw: Draw): SmallSystem {
  if (!draw.chance(0.3)) return system;
  const ids = system.stages.map(({ id }) => id);
  const living = (hydro: SmallHydro): SmallHydro => {
    if (!draw.chance(0.5)) return hydro;
    const at = draw.below(ids.length);
    const entry = draw.chance(0.5) ? ids[at] : null;
    const exit = entry === null || draw.chance(0.3) ? ids[at] + 1 : null;
    return { ...hydro, life: { entry, exit } };
  };
  return {
    ...system,
    // A negative inflow that nobody mends would flow on to plants that may not have the water.
    hydros: system.method === "none" ? system.hydros : system.hydros.map(living),
  };
}

/** Enough to matter: some m³/s of a full reservoir, and condensation in some months. */
function evaporation({ bounds }: SmallHydro, draw: Draw): SmallEvaporation {
  const { minStorage, maxStorage } = bounds;
  const middle = rounded(0.2 + draw.number(0.2, 0.7) * maxStorage);
  const area = draw.number(1, 20);
  const within = () =>
    Math.min(Math.max(draw.number(minStorage, maxStorage), minStorage), maxStorage);
  return {
    coefficients: Array.from({ length: 12 }, () =>
      draw.chance(0.1) ? -draw.number(1, 30) : draw.number(20, 300),
    ),
    references: draw.chance(0.5) ? Array.from({ length: 12 }, within) : null,
    areas: [
      { volume: 0, area: draw.chance(0.5) ? 0 : 0.5 },
      { volume: middle, area },
      { volume: rounded(middle * 2), area: rounded(area * draw.number(1.1, 3)) },
    ],
  };
}

/** Planes that leave a way to generate nothing: what spillage takes away, the constant gives. */
function planes({ productivity, bounds }: SmallHydro, draw: Draw): readonly SmallPlane[] {
  return Array.from({ length: 1 + draw.below(3) }, () => ({
    constant: draw.number(5, 8),
    volume: rounded(
      (draw.number(0, 0.5) * productivity * bounds.maxTurbined) / (bounds.maxStorage + 1),
    ),
    turbined: rounded(productivity * draw.number(0.3, 1.3)),
    spilled: draw.chance(0.5) ? -draw.number(0, 0.002) : 0,
    kappa: draw.chance(0.5) ? draw.number(0.9, 1) : 1,
  }));
}
