/**
 * Decides whether two values of two runs are the same. `place` names them; it is called only where the name is needed.
 */
export type Judge = (a: unknown, b: unknown, place: () => string) => boolean;

/** The same bits: -0 and 0 differ, NaN and NaN do not. */
export const sameBits: Judge = (a, b) => Object.is(a, b);

/** Two numbers of two runs that differ. */
export interface NumberDifference {
  /** |a - b|, divided by the largest of |a|, |b| and 1. */
  readonly relative: number;
  /** Which number: the file, row and column, or the part of the policy. */
  readonly place: string;
  readonly a: number;
  readonly b: number;
}

/** Accepts any two finite numbers, and keeps those that differ most. Other values must be the same. */
export class LargestDifference {
  largest: NumberDifference | null = null;

  readonly judge: Judge = (a, b, place) => {
    if (typeof a !== "number" || typeof b !== "number") return Object.is(a, b);
    if (!Number.isFinite(a) || !Number.isFinite(b)) return Object.is(a, b);
    const relative = Math.abs(a - b) / Math.max(1, Math.abs(a), Math.abs(b));
    if (relative > (this.largest?.relative ?? 0)) {
      this.largest = { relative, place: place(), a, b };
    }
    return true;
  };
}
