/**
 * With so many passes, all openings from one state are one group: there are enough states to balance the work. Every group more costs time, since its
 * first solve takes up to four times as long as one that starts from a neighbouring opening.
 */
const MANY_PASSES = 16;
/** With fewer passes, ranks need smaller pieces of work. */
const LARGEST_GROUP = 7;
/** The part of the openings left that the next group takes, if it is not too large. */
const NEXT_PART = 0.7;

/**
 * Groups of openings that one rank solves in a row, each from the basis in which the one before ended. The groups must not depend on the
 * number of ranks. Where there are several, they become smaller towards the end, so that ranks which take them in order finish at about the same time.
 *
 * @example
 * ```ts
 * const groups = new OpeningGroups(10, 4); // of 7 and 3
 * groups.of(8); // { first: 7, size: 3 }
 * ```
 */
export class OpeningGroups {
  private readonly starts: number[] = [0];
  private readonly groupOf: Int32Array;

  /** @param passes from how many states the openings are solved */
  constructor(openings: number, passes: number) {
    this.groupOf = new Int32Array(openings);
    for (let first = 0; first < openings; ) {
      const left = openings - first;
      const isOne = passes >= MANY_PASSES;
      const size = isOne ? left : Math.min(LARGEST_GROUP, Math.ceil(left * NEXT_PART));
      this.groupOf.fill(this.count, first, first + size);
      first += size;
      this.starts.push(first);
    }
  }

  get count(): number {
    return this.starts.length - 1;
  }

  /** The first opening of a group. For `group === count`, the number of openings. */
  first(group: number): number {
    return this.starts[group];
  }

  /** The group to which an opening belongs. */
  of(opening: number): { readonly first: number; readonly size: number } {
    const group = this.groupOf[opening];
    const first = this.starts[group];
    return { first, size: this.starts[group + 1] - first };
  }
}
