/** What is said about failures, in the same words on every backend. */
import { describeCall } from "./fingerprint.js";

/** Ranks as a sentence names them: `rank 2 has`, `ranks 1, 3 have`. */
export function naming(ranks: readonly number[]): { who: string; have: string } {
  return ranks.length === 1
    ? { who: `rank ${ranks[0]}`, have: "has" }
    : { who: `ranks ${ranks.join(", ")}`, have: "have" };
}

export function storyOfClosing(ranks: readonly number[]): string {
  const { who, have } = naming(ranks);
  return `${who} ${have} closed the communicator`;
}

export function storyOfTimeout(ranks: readonly number[], seconds: number): string {
  const { who, have } = naming(ranks);
  return `after ${seconds} s ${who} ${have} not come. If ranks may compute that long, give the communicator a longer timeoutSecs`;
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
    ? `rank ${mine.rank} and rank ${other.rank} both call ${call}, but with other counts, or after different calls`
    : `rank ${mine.rank} calls ${call}, but rank ${other.rank} calls ${otherCall}`;
}

/** What a mismatch means for the program. */
export const MISMATCH_ADVICE = "Every rank must make the same calls in the same order.";

/** One line on stderr for a rank that waits long. */
export function storyOfWaiting(
  rank: number,
  seconds: number,
  operation: string,
  awaited: readonly number[],
): string {
  return `cobre: rank ${rank} has waited ${seconds} s in ${operation} for ${naming(awaited).who}\n`;
}
