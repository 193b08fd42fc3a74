import { OPERATIVE_STATE, STORAGE_BINDING } from "@cobre/io";

/** Solutions are at a bound up to the rounding of the solver. */
const TOLERANCE = 1e-9;

const reaches = (value: number, bound: number) =>
  value >= bound - TOLERANCE * Math.max(1, Math.abs(bound));

/** Which of its bounds a storage is at. */
export function storageBinding(value: number, min: number, max: number): number {
  const atMinimum = reaches(-value, -min);
  const atMaximum = reaches(value, max);
  if (atMinimum && atMaximum) return STORAGE_BINDING.both;
  if (atMinimum) return STORAGE_BINDING.at_minimum;
  return atMaximum ? STORAGE_BINDING.at_maximum : STORAGE_BINDING.none;
}

/** Whether something that has several flows can run at all, and whether one of them is as large as it can be. */
export function operativeState(values: readonly number[], capacities: readonly number[]): number {
  if (capacities.every((capacity) => capacity === 0)) return OPERATIVE_STATE.deactivated;
  const isFull = values.some((value, i) => capacities[i] > 0 && reaches(value, capacities[i]));
  return isFull ? OPERATIVE_STATE.saturated : OPERATIVE_STATE.operating;
}
