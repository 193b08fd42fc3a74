import { InvalidArgumentError } from "commander";

/** The launcher's own limit, which the compiler compares: to load the launcher for it would slow down every command. */
const MAX_RANKS: typeof import("@cobre/comm/launch").MAX_RANKS = 1024;

/** Reads the value of `-n`. */
export function parseRanks(text: string): number {
  const ranks = Number(text);
  if (/^\d+$/.test(text) && ranks >= 1 && ranks <= MAX_RANKS) return ranks;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_RANKS}.`);
}
