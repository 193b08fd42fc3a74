/** Thermal plants that are committed ahead, from the description of a small system. */
import type { SmallSystem, SmallThermal } from "./system.js";

const DAYS_A_YEAR = 365.25;

/** The hours of a stage, which may lie behind the study. */
export function hoursOf({ stages, postStudy }: SmallSystem, stage: number): number {
  const { length } = stages;
  return stage < length
    ? stages[stage].hours.reduce((a, b) => a + b, 0)
    : postStudy[stage - length].hours;
}

/** The number of stages for which there can be commitments. */
export function deliveriesOf({ stages, postStudy }: SmallSystem): number {
  return stages.length + postStudy.length;
}

/** The stage that decides what a plant generates in a stage; -1: before the study; the stage itself: like every other plant. */
export function decidingStage(system: SmallSystem, { lead }: SmallThermal, stage: number): number {
  if (lead === null || system.compat) return stage;
  if (lead.stages !== null) return Math.max(-1, stage - lead.stages);
  let left = lead.hours;
  // Back from the end of the stage; an hour between two stages belongs to the earlier one.
  for (let t = stage; t >= 0; t--) {
    if (left < hoursOf(system, t) - 1e-6) return t;
    left -= hoursOf(system, t);
    if (Math.abs(left) <= 1e-6) return t - 1;
  }
  return -1;
}

/** Limits and cost of a plant in a stage, which may lie behind the study. */
export function supplyOf(
  { stages }: SmallSystem,
  thermal: SmallThermal,
  stage: number,
): { readonly min: number; readonly max: number; readonly cost: number } {
  if (stage >= stages.length) {
    return thermal.behind[stage - stages.length] ?? { min: 0, max: 0, cost: 0 };
  }
  const { min, max, cost } = { ...thermal, ...thermal.stages[stage] };
  return { min, max, cost };
}

/** What a $ in a later stage is worth in a stage. */
export function worthOf(
  system: SmallSystem,
  discountOf: (stage: number) => number,
  from: number,
  to: number,
): number {
  let worth = 1;
  for (let t = from; t < to; t++) {
    const days = hoursOf(system, t) / 24;
    worth *=
      t < system.stages.length ? discountOf(t) : (1 + system.annualRate) ** (-days / DAYS_A_YEAR);
  }
  return worth;
}

/** How many stages ahead a plant can be committed. */
export function furthestOf(system: SmallSystem, thermal: SmallThermal): number {
  let most = 0;
  for (let m = 0; m < deliveriesOf(system); m++) {
    const at = decidingStage(system, thermal, m);
    if (at === m || at >= system.stages.length) continue;
    most = Math.max(most, at < 0 ? m + 1 : m - at);
  }
  return most;
}
