/**
 * Lower bounds on costs, for θ to start from. A cost can be negative (a thermal that is paid to run), so 0 is not one. They follow from
 * the programs themselves, whatever columns these have.
 */
import type { LpData } from "@cobre/solver";
import type { CutPool } from "../cuts/cut-pool.js";
import type { Model } from "../model.js";

/**
 * A cost that a program cannot fall below, whatever its rows say: Σ min(c·l, c·u) over its columns. θ is one of them, so later stages
 * count, too.
 */
export function lowestCost({ cost, columnLower, columnUpper }: LpData): number {
  let sum = 0;
  cost.forEach((value, column) => {
    if (value === 0) return;
    sum += Math.min(value * columnLower[column], value * columnUpper[column]);
  });
  return sum;
}

/** A value that the cuts of the last stage do not fall below in any state in which the study can end. */
export function lowestTerminalValue(model: Model, pool: CutPool): number {
  const { hydros, lags, stages, study, inflows, initialState } = model;
  const { minStorageHm3, maxStorageHm3 } = study.hydros;
  const range = (i: number): readonly [number, number] => {
    const h = i % hydros;
    const lag = Math.floor(i / hydros);
    if (lag === 0) {
      const least = study.hasSoftMinimum[h] ? 0 : minStorageHm3.at(stages - 1, h);
      return [least, maxStorageHm3.at(stages - 1, h)];
    }
    const before = (stages - lag) * hydros + h;
    if (lag <= stages) return [inflows.lowest[before], inflows.highest[before]];
    const known = initialState[hydros * (lag - stages) + h];
    return [known, known];
  };
  const ranges = Array.from({ length: hydros * (1 + lags) }, (_, i) => range(i));
  let highest = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < pool.count; slot++) {
    let lowest = pool.intercept(slot);
    ranges.forEach(([from, to], i) => {
      const coefficient = pool.coefficient(slot, i);
      lowest += Math.min(coefficient * from, coefficient * to);
    });
    highest = Math.max(highest, lowest);
  }
  return highest;
}
