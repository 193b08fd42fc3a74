/** Whether a rank that waits is in the way of the rank that it waits for. */
import type { Whereabouts } from "./processes.js";
import { type ProcessorSet, without } from "./processor-set.js";

/** What a waiting rank knows. */
export interface Situation {
  /** The processor that this rank runs on. */
  readonly own: number;
  /** The processors that it may use. */
  readonly allowed: ProcessorSet;
  /** Where the ranks are that this one waits for. */
  readonly awaited: readonly Whereabouts[];
  /** The processors on which other ranks of this machine are. Only asked if it matters. */
  readonly taken: () => ProcessorSet;
  /** Whether this rank has moved a moment ago. */
  readonly hasJustMoved: boolean;
}

/**
 * - `look`: go on looking; the rank that is awaited has a processor, or waits for one elsewhere
 * - `let go`: the rank that is awaited needs this processor, and this rank has no other
 * - otherwise: it needs this processor, and this rank should move to one of these
 */
export type Decision = "look" | "let go" | ProcessorSet;

export function decide({ own, allowed, awaited, taken, hasJustMoved }: Situation): Decision {
  const isInTheWay = awaited.some((rank) => rank.isRunnable && rank.processor === own);
  if (!isInTheWay) return "look";
  const others = without(allowed, [own]);
  // Ranks that move to and fro would never meet: the second time, one of them lets go.
  if (others.length === 0 || hasJustMoved) return "let go";
  const free = without(others, taken());
  return free.length > 0 ? free : others;
}
