/** Draws what a small system has besides plants, buses and lines. */
import { Draw } from "./draw.js";
import type { SmallEquipment, SmallLifetime, SmallSource } from "./equipment.js";
import type { SmallSystem } from "./system.js";

/** Far from the seeds of systems, so that equipment has draws of its own. */
const APART = 7_000_001;

/** The system with equipment drawn from its seed. */
export function withEquipment(system: SmallSystem): SmallSystem {
  const draw = new Draw(system.seed + APART);
  const equipment: SmallEquipment = {
    curtailmentCost: draw.number(0.01, 30),
    sources: sourcesOf(system, draw),
  };
  return { ...system, equipment };
}

function sourcesOf({ stages, buses, treeSeed }: SmallSystem, draw: Draw): readonly SmallSource[] {
  if (!draw.chance(0.4)) return [];
  return draw.ids(draw.pick([1, 1, 2, 3])).map((id): SmallSource => {
    const isUncertain = draw.chance(0.6);
    const max = draw.number(5, 60);
    return {
      id,
      bus: draw.pick(buses).id,
      max,
      cost: draw.chance(0.5) ? draw.number(0.01, 40) : null,
      curtails: draw.chance(0.8),
      isUncertain,
      ...lifetimeOf(stages, draw),
      stages: stages.map(({ openings, hours }) => ({
        available: draw.chance(0.5) ? draw.number(0, 1.2 * max) : null,
        mean: draw.number(0, 1),
        std: draw.chance(0.8) ? draw.number(0.05, 0.7) : 0,
        noise: draw.noise(openings, treeSeed !== null),
        factors: draw.chance(0.4) ? hours.map(() => draw.number(0.2, 1.6)) : null,
        cost: draw.chance(0.3) ? draw.number(0.01, 60) : null,
      })),
    };
  });
}

/** Mostly the whole study. */
function lifetimeOf(stages: SmallSystem["stages"], draw: Draw): SmallLifetime {
  if (!draw.chance(0.35)) return { entry: null, exit: null };
  const [first, last] = [stages[0].id, stages[stages.length - 1].id];
  const entry = draw.chance(0.6) ? first + draw.below(last - first + 1) : null;
  const exit = draw.chance(0.6) ? (entry ?? first) + 1 + draw.below(last - first + 2) : null;
  return { entry, exit };
}
