/** Items of different lengths, one after the other in an array; some have nothing. The values of each are its own. */

/** The lengths of the items of each exchange. More ranks than items, fewer, and none at all. */
export const ROUNDS: readonly (readonly number[])[] = [
  [3, 0, 1, 4, 2, 0, 5],
  [2],
  [],
  [1, 1, 1],
  Array.from({ length: 20 }, (_, item) => item % 4),
];

/** Where each item begins. */
export function startsOf(lengths: readonly number[]): (item: number) => number {
  return (item) => lengths.slice(0, item).reduce((sum, length) => sum + length, 0);
}

/** The values of an item of a round; as bytes they are other numbers, but still its own. */
export function valuesOf(round: number, item: number): number[] {
  const length = ROUNDS[round]?.[item] ?? 0;
  return Array.from({ length }, (_, i) => 40 * round + 2 * item + i / 8 + 1);
}

/** The values of all items of a round. */
export function allOf(round: number): number[] {
  return (ROUNDS[round] ?? []).flatMap((_, item) => valuesOf(round, item));
}
