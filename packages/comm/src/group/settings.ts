/** What the configurations of all backends that connect processes have in common. */

/** How long ranks are waited for if nothing else is said. */
export const DEFAULT_TIMEOUT_SECS = 60;

/** The number a variable holds. An empty string and " 3" are no numbers here. */
export function parseNumber(text: string): number {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

/** The number an optional variable holds, if it is set. */
export function parseOptionalNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseNumber(text);
}

/** The fields that place a process in a group. */
export interface Place {
  readonly rank: number;
  readonly size: number;
  readonly timeoutSecs: number;
}

/** Checks a place, and calls `refuse` with the first field that cannot be and the reason. */
export function checkPlace(
  { rank, size, timeoutSecs }: Place,
  maxRanks: number,
  refuse: (field: keyof Place, reason: string) => never,
): void {
  if (!Number.isInteger(size) || size < 1 || size > maxRanks) {
    refuse("size", `the number of ranks is a whole number from 1 to ${maxRanks}.`);
  }
  if (!Number.isInteger(rank) || rank < 0 || rank >= size) {
    refuse("rank", `with ${size} ranks a rank is a whole number from 0 to ${size - 1}.`);
  }
  if (typeof timeoutSecs !== "number" || !(timeoutSecs > 0) || !Number.isFinite(timeoutSecs)) {
    refuse("timeoutSecs", "a timeout is a number of seconds greater than 0.");
  }
}
