/** Settings that all backends that connect processes have in common. */

/** How long to wait for other ranks by default. */
export const DEFAULT_TIMEOUT_SECS = 60;

/**
 * How long a machine may be silent before it counts as lost. Its kernel is asked three times, after
 * 60, 75 and 90 seconds.
 */
export const DEFAULT_SILENCE_SECS = 105;

/** The value of a variable that sets no limit: living ranks may take as long as they need. */
export const NO_TIMEOUT = "none";

/** The limit in an optional variable, if it is set. */
export function parseOptionalTimeout(text: string | undefined): number | undefined {
  return text === NO_TIMEOUT ? Number.POSITIVE_INFINITY : parseOptionalNumber(text);
}

/**
 * How long the start may take. It always has a limit: a rank that was never started is not just
 * slow.
 */
export function startLimit(timeoutSecs: number): number {
  return Number.isFinite(timeoutSecs) ? timeoutSecs : DEFAULT_TIMEOUT_SECS;
}

/** The number in a variable. An empty string and " 3" are not numbers here. */
export function parseNumber(text: string): number {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

/** The number in an optional variable, if it is set. */
export function parseOptionalNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseNumber(text);
}

/** The settings that every process of a group needs. */
interface Place {
  readonly rank: number;
  readonly size: number;
  readonly timeoutSecs: number;
}

/** Checks the settings; calls `refuse` with the first invalid field and the reason. */
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
  if (typeof timeoutSecs !== "number" || !(timeoutSecs > 0)) {
    refuse(
      "timeoutSecs",
      `a timeout is a number of seconds greater than 0; for no limit use Infinity, or ${NO_TIMEOUT} in a variable.`,
    );
  }
}
