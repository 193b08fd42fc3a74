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

/** Deactivated without capacity, saturated at it, else operating. Of two flows, the greater code is that of both together. */
export function stateOfFlow(value: number, capacity: number): number {
  if (capacity === 0) return OPERATIVE_STATE.deactivated;
  const isFull = capacity > 0 && reaches(value, capacity);
  return isFull ? OPERATIVE_STATE.saturated : OPERATIVE_STATE.operating;
}
