/** Features of hydro plants that are drawn last, one after the other, so that the rest of a system does not depend on them. */
import { type Draw, rounded } from "./draw.js";
import type { SmallHydro, SmallPlane, SmallProduction, SmallSystem } from "./system.js";

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
