/**
 * Lower bounds on costs, for θ to start from. A cost can be negative (a thermal that is paid to run), so 0 is not one. They follow from
 * the programs themselves, whatever columns these have.
 */
import type { LpData } from "@cobre/solver";
import type { CutPool } from "../cuts/cut-pool.js";
import type { Model } from "../model.js";
import type { StateComponent } from "../policy/state-components.js";

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
  const ranges = model.components.map((component, i) => terminalRange(model, component, i));
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

/** Between what values a component of the state can end. */
function terminalRange(
  model: Model,
  { family }: StateComponent,
  component: number,
): readonly [from: number, to: number] {
  const { hydros, stages, study, inflows, initialState } = model;
  if (family === "in_transit") {
    const most = mostWater(model);
    return [-most, most];
  }
  if (family === "commitment") {
    const { states, terminalMw } = study.commitments;
    return terminalMw[component - (model.dimension - states.length)];
  }
  const h = component % hydros;
  const lag = Math.floor(component / hydros);
  if (lag === 0) {
    const { minStorageHm3, maxStorageHm3 } = study.hydros;
    const least = study.hasSoftMinimum[h] ? 0 : minStorageHm3.at(stages - 1, h);
    return [least, maxStorageHm3.at(stages - 1, h)];
  }
  const before = (stages - lag) * hydros + h;
  if (lag <= stages) return [inflows.lowest[before], inflows.highest[before]];
  const known = initialState[hydros * (lag - stages) + h];
  return [known, known];
}

/** More water than there can be: all that is there at the start, and all that comes, or is missing, until the end. */
function mostWater({ study, inflows, hydros }: Model): number {
  const { initialConditions, travel, time, evaporation, hydros: at } = study;
  let sum = 0;
  for (const volume of initialConditions.storageHm3) sum += volume;
  for (const volumes of travel.initialHm3) for (const volume of volumes) sum += Math.abs(volume);
  time.blockVolumes.forEach((volumes, stage) => {
    const volume = volumes.reduce((total, ofBlock) => total + ofBlock, 0);
    for (let h = 0; h < hydros; h++) {
      const cell = stage * hydros + h;
      const inflow = Math.max(Math.abs(inflows.lowest[cell]), Math.abs(inflows.highest[cell]));
      const { constant = 0, slope = 0 } = evaporation[stage][h] ?? {};
      const condensed = 2 * Math.abs(constant + slope * at.maxStorageHm3.at(stage, h));
      sum += volume * (inflow + Math.abs(at.waterWithdrawalM3s.at(stage, h)) + condensed);
    }
  });
  return sum;
}
