/** Reservoirs that are filled before their plants operate, from the description of a small system. */
import type { SmallHydro, SmallSystem } from "./system.js";

/** The volume of one m³/s in an hour, in hm³. */
const VOLUME_PER_HOUR = 0.0036;

/** Whether a reservoir is being filled in a stage. Cobre 0.5 fills none. */
export function isFilling(
  { stages, compat }: SmallSystem,
  { filling, life }: SmallHydro,
  stage: number,
): boolean {
  if (compat || filling === null || life.entry === null) return false;
  return stages[stage].id >= filling.start && stages[stage].id < life.entry;
}

/** What is due at the end of a stage of filling, and how much more than before may be there. */
export function fillingOf(
  system: SmallSystem,
  hydro: SmallHydro,
  stage: number,
): { readonly target: number; readonly most: number } {
  const { filling, bounds, stages: cells } = hydro;
  if (filling === null) return { target: 0, most: Number.POSITIVE_INFINITY };
  const dead = (at: number) => cells[at].bounds.minStorage ?? bounds.minStorage;
  const volume = (at: number) => {
    const hours = system.stages[at].hours.reduce((sum, value) => sum + value, 0);
    return (filling.stages[at] ?? filling.rate) * VOLUME_PER_HOUR * hours;
  };
  const later = system.stages
    .map((_, at) => at)
    .filter((at) => at > stage && isFilling(system, hydro, at));
  const last = later.at(-1) ?? stage;
  if (filling.isMost) return { target: last === stage ? dead(stage) : 0, most: volume(stage) };
  const owed = later.reduce((sum, at) => sum + volume(at), 0);
  return { target: Math.min(dead(last) - owed, dead(stage)), most: Number.POSITIVE_INFINITY };
}
