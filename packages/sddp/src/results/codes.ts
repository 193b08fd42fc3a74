import { OPERATIVE_STATE, STORAGE_BINDING } from "@cobre/io";

/** The solver's rounding can leave a value slightly off the bound it is at. */
const TOLERANCE = 1e-9;

const reaches = (value: number, bound: number) =>
  value >= bound - TOLERANCE * Math.max(1, Math.abs(bound));

/** Which of its bounds a storage has reached. */
export function storageBinding(value: number, min: number, max: number): number {
  const atMinimum = reaches(-value, -min);
  const atMaximum = reaches(value, max);
  if (atMinimum && atMaximum) return STORAGE_BINDING.both;
  if (atMinimum) return STORAGE_BINDING.at_minimum;
  return atMaximum ? STORAGE_BINDING.at_maximum : STORAGE_BINDING.none;
}

/** The state of what has a single flow: the same as {@link operativeState} of it alone. */
export function stateOfFlow(value: number, capacity: number): number {
  if (capacity === 0) return OPERATIVE_STATE.deactivated;
  const isFull = capacity > 0 && reaches(value, capacity);
  return isFull ? OPERATIVE_STATE.saturated : OPERATIVE_STATE.operating;
}

/** Deactivated if no flow has any capacity, saturated if one of the flows is at its capacity, else operating. */
export function operativeState(values: readonly number[], capacities: readonly number[]): number {
  if (capacities.every((capacity) => capacity === 0)) return OPERATIVE_STATE.deactivated;
  const isFull = values.some((value, i) => capacities[i] > 0 && reaches(value, capacities[i]));
  return isFull ? OPERATIVE_STATE.saturated : OPERATIVE_STATE.operating;
}
