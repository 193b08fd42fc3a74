/** How a rank reports that it has given up. Shared memory and the wire use the same numbers. */

/** Why a rank has given up. Never renumber. */
export const ABORT = { none: 0, missing: 1, mismatch: 2, exception: 3 } as const;

/** What a rank tells the others when it gives up. */
export interface AbortNotice {
  /** One of {@link ABORT}. */
  readonly code: number;
  readonly missingRanks: readonly number[];
  readonly text: string;
}
