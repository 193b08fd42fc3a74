/** More openings in a row would start from a basis less often, fewer share the work better. */
const LARGEST_GROUP = 5;

/**
 * Openings that are solved one after the other, each from where the last one ended. Their number must not depend on how many ranks there
 * are. The groups become smaller towards the end, so that ranks which take them in order finish together.
 *
 * @example
 * ```ts
 * const groups = new OpeningGroups(10); // of 5, 3, 1 and 1
 * groups.of(6); // { first: 5, size: 3 }
 * ```
 */
export class OpeningGroups {
  private readonly starts: number[] = [0];
  private readonly groupOf: Int32Array;

  constructor(openings: number) {
    this.groupOf = new Int32Array(openings);
    for (let first = 0; first < openings; ) {
      const size = Math.min(LARGEST_GROUP, Math.ceil((openings - first) / 2));
      this.groupOf.fill(this.count, first, first + size);
      first += size;
      this.starts.push(first);
    }
  }

  get count(): number {
    return this.starts.length - 1;
  }

  /** The first opening of a group, and, of the one behind the last, how many openings there are. */
  first(group: number): number {
    return this.starts[group];
  }

  /** The group of an opening. */
  of(opening: number): { readonly first: number; readonly size: number } {
    const group = this.groupOf[opening];
    const first = this.starts[group];
    return { first, size: this.starts[group + 1] - first };
  }
}
