import { InvalidArgumentError } from "commander";

/** The launcher's own limit, as in ranks.ts. */
const MAX_SECONDS: typeof import("@cobre/comm/launch").MAX_SECONDS = 2_147_483;

/** Reads a number of seconds. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d*\.?\d+$/.test(text) && seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw new InvalidArgumentError(`It must be a number of seconds above 0, up to ${MAX_SECONDS}.`);
}

/** Reads a number of seconds, or `none`, which is `Infinity`. */
export function parseLimit(text: string): number {
  if (text === "none") return Number.POSITIVE_INFINITY;
  try {
    return parseSeconds(text);
  } catch {
    throw new InvalidArgumentError(
      `It must be a number of seconds above 0, up to ${MAX_SECONDS}, or none.`,
    );
  }
}
