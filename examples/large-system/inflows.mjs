/** The inflows of all plants: means and deviations by month, periodic autoregressions, correlations, and the months before the study. */
import { AREAS } from "./areas.mjs";
import { Draws } from "./random.mjs";

/** Mean and standard deviation of a plant's own inflow in a month from 0. */
export function statisticsOf({ area, ownFlow, variation }, month) {
  const { wettest, swing } = AREAS[area];
  const mean = ownFlow * (1 + swing * Math.cos((2 * Math.PI * (month - wettest)) / 12));
  return { mean, std: variation * mean };
}

/**
 * Coefficients of lags 1 to p of normalised inflows. They are made from partial autocorrelations (Levinson's recursion), so that every model is
 * stationary. What part of the deviation is new in each month follows from them.
 */
export function drawAutoregressions(plants, maxOrder, seed) {
  const draws = new Draws(seed, "inflows");
  return plants.map(() => {
    const order = draws.whole(1, maxOrder);
    let coefficients = [];
    for (let lag = 1; lag <= order; lag++) {
      const partial = lag === 1 ? draws.between(0.45, 0.75) : draws.between(-0.15, 0.25);
      const before = coefficients;
      coefficients = before.map((value, i) => value - partial * before[lag - 2 - i]);
      coefficients.push(partial);
    }
    return coefficients;
  });
}

/** Inflows are most alike within a river, less so within an area. A sum of such parts is a correlation whatever the sizes are. */
export function correlationOf(a, b) {
  if (a.id === b.id) return 1;
  if (a.river === b.river) return 0.8;
  return a.area === b.area ? 0.5 : 0.1;
}

/** The inflows of the months before the study, the last one first. */
export function drawPastInflows(plants, months, firstMonth, seed) {
  const draws = new Draws(seed, "past");
  const wetness = Array.from({ length: months }, () => draws.between(0.75, 1.05));
  return plants.map((plant) =>
    wetness.map(
      (part, i) => part * statisticsOf(plant, (firstMonth - 1 - i + 12 * months) % 12).mean,
    ),
  );
}
