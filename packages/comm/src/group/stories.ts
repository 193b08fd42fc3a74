/** The messages about failures, in the same words on every backend. */
import { describeCall } from "./fingerprint.js";

/** How a sentence names ranks: `rank 2 has`, `ranks 1, 3 have`. */
export function naming(ranks: readonly number[]): { who: string; have: string } {
  return ranks.length === 1
    ? { who: `rank ${ranks[0]}`, have: "has" }
    : { who: `ranks ${ranks.join(", ")}`, have: "have" };
}

export function storyOfClosing(ranks: readonly number[]): string {
  const { who, have } = naming(ranks);
  return `${who} ${have} closed the communicator`;
}

export function storyOfTimeout(
  ranks: readonly number[],
  seconds: number,
  backend: "shm" | "tcp",
): string {
  const { who, have } = naming(ranks);
  const variable = `COBRE_${backend.toUpperCase()}_TIMEOUT_SECS`;
  return `after ${seconds} s ${who} ${have} not come. If ranks may take that long, raise the limit: --comm-timeout of cobre launch or cobre run, ${variable}, or timeoutSecs in the program ("none", or Infinity in the program, means no limit)`;
}

/** A call as it is compared between ranks; see `fingerprint.ts`. */
export interface ComparedCall {
  readonly rank: number;
  readonly call: number;
  readonly length: number;
}

export function storyOfMismatch(mine: ComparedCall, other: ComparedCall): string {
  const call = describeCall(mine.call, mine.length);
  const otherCall = describeCall(other.call, other.length);
  return call === otherCall
    ? `rank ${mine.rank} and rank ${other.rank} both call ${call}, but with different counts, or after different calls`
    : `rank ${mine.rank} calls ${call}, but rank ${other.rank} calls ${otherCall}`;
}

/** What a mismatch means for the program. */
export const MISMATCH_ADVICE = "Every rank must make the same calls in the same order.";

/** The line on stderr from a rank that has waited for a long time. */
export function storyOfWaiting(
  rank: number,
  seconds: number,
  operation: string,
  awaited: readonly number[],
): string {
  return `cobre: rank ${rank} has waited ${seconds} s in ${operation} for ${naming(awaited).who}\n`;
}
