/** Hydro plants in cascades: rivers with tributaries, reservoirs at their heads and mostly run-of-river plants below. */
import { AREAS, dealByShare } from "./areas.mjs";
import { Draws } from "./random.mjs";

const LONGEST_CASCADE = 14;
/** What 1 m3/s brings in a mean month, in hm3. */
const HM3_PER_MONTH = 2.63;
/** MW for 1 m3/s and 1 m of head, with losses. */
const MW_PER_M3S_AND_M = 0.0088;

/**
 * All plants, those upstream before those below. Flows are long-term means in m3/s: `ownFlow` comes in between the plants above and this one, and
 * `flow` is all that passes.
 */
export function drawHydros(count, seed) {
  const draws = new Draws(seed, "hydros");
  const plants = [];
  let river = 0;
  dealByShare(count, ({ water }) => water).forEach((ofArea, area) => {
    for (let left = ofArea; left > 0; ) {
      const length = Math.min(left, 1 + Math.floor(LONGEST_CASCADE * draws.unit() ** 1.7));
      addRiver(plants, { draws, area, river: river++, length });
      left -= length;
    }
  });
  return plants;
}

function addRiver(plants, { draws, area, river, length }) {
  const first = plants.length;
  const mouthFlow = draws.logBetween(80, 800) * Math.sqrt(length);
  const weights = Array.from({ length }, () => draws.between(0.3, 1.3));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const variation = draws.between(0.15, 0.3);
  const below = weights.map((_, i) => downstreamOf(i, length, draws));
  const flows = weights.map((weight) => (mouthFlow * weight) / total);
  const ownFlows = [...flows];
  below.forEach((next, i) => {
    if (next !== null) flows[next] += flows[i];
  });
  for (let i = 0; i < length; i++) {
    const isHead = !below.includes(i);
    plants.push({
      id: first + i,
      name: `${AREAS[area].name} ${river + 1}.${i + 1}`,
      area,
      river,
      variation,
      downstream: below[i] === null ? null : first + below[i],
      ownFlow: ownFlows[i],
      flow: flows[i],
      ...drawPlant(draws, flows[i], isHead),
    });
  }
}

/** Mostly the next plant. A plant on a tributary meets the river further down. */
function downstreamOf(i, length, draws) {
  if (i === length - 1) return null;
  const skipped = draws.chance(0.2) ? draws.whole(1, 3) : 0;
  return Math.min(i + 1 + skipped, length - 1);
}

function drawPlant(draws, flow, isHead) {
  const head = draws.logBetween(12, 130);
  const months = draws.chance(isHead ? 0.8 : 0.2) ? draws.between(2, 12) : draws.between(0.05, 0.2);
  const usable = months * HM3_PER_MONTH * flow;
  return {
    productivity: MW_PER_M3S_AND_M * head,
    maxTurbined: flow * draws.between(1.3, 2),
    minOutflow: flow * draws.between(0.05, 0.12),
    minStorage: usable * draws.between(0.2, 0.6),
    usableStorage: usable,
    fill: draws.between(0.45, 0.75),
  };
}
