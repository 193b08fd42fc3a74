import { MAX_RANKS } from "@cobre/comm/launch";
import { InvalidArgumentError } from "commander";

/** Reads the number behind `-n`. */
export function parseRanks(text: string): number {
  const ranks = Number(text);
  if (/^\d+$/.test(text) && ranks >= 1 && ranks <= MAX_RANKS) return ranks;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_RANKS}.`);
}
