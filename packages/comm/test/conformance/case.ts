import type { Communicator, SharedMemoryProvider } from "@cobre/comm";

/** What every backend implements. */
export type Backend = Communicator & SharedMemoryProvider;

/** What a case is given besides the communicator. */
export interface CaseContext {
  /** A directory that all ranks see, empty at the start of the run. */
  readonly directory: string;
}

/**
 * One line of the conformance table. It runs on every rank of every backend and throws where the
 * contract is broken. Ranks must make the same collective calls.
 */
export interface ConformanceCase {
  readonly name: string;
  /** With fewer ranks it cannot be had. */
  readonly leastRanks?: number;
  run(comm: Backend, context: CaseContext): void | Promise<void>;
}

/** The cases that a group of this size goes through. */
export function casesFor(size: number, cases: readonly ConformanceCase[]): ConformanceCase[] {
  return cases.filter(({ leastRanks = 1 }) => size >= leastRanks);
}

/** Lengths around everything that could matter: nothing, one, the ranks, chunks. */
export function interestingLengths(size: number): number[] {
  return [...new Set([1, 2, size - 1, size, size + 1, 7, 8, 9, 31, 32, 33, 1000, 1024, 10_007])]
    .filter((length) => length > 0)
    .sort((a, b) => a - b);
}
