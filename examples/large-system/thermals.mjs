import { AREAS } from "./areas.mjs";
import { Draws } from "./random.mjs";

/** Costs in $/MWh; `least` is the part of the capacity that always runs; `weight` says how many there are. */
const KINDS = [
  { name: "nuclear", weight: 2, size: [600, 1400], cost: [20, 40], least: 0.75 },
  { name: "biomass", weight: 14, size: [20, 120], cost: [70, 160], least: 0 },
  { name: "coal", weight: 14, size: [80, 500], cost: [90, 220], least: 0.3 },
  { name: "gas", weight: 40, size: [80, 900], cost: [110, 420], least: 0.1 },
  { name: "fuel oil", weight: 18, size: [40, 300], cost: [380, 820], least: 0 },
  { name: "diesel", weight: 12, size: [15, 150], cost: [780, 1350], least: 0 },
];

/** All thermal plants, with this capacity together, in MW. */
export function drawThermals(count, capacity, seed) {
  const draws = new Draws(seed, "thermals");
  const drawn = Array.from({ length: count }, (_, id) => {
    const { name, size, cost, least } = draws.choice(KINDS, ({ weight }) => weight);
    const area = AREAS.indexOf(draws.choice(AREAS, ({ load }) => load));
    const mw = draws.logBetween(...size);
    return {
      id,
      name: `${name} ${id + 1}, ${AREAS[area].name}`,
      area,
      mw,
      least,
      cost: draws.between(...cost),
    };
  });
  const total = drawn.reduce((sum, { mw }) => sum + mw, 0);
  return drawn.map((plant) => ({ ...plant, mw: (plant.mw * capacity) / total }));
}
