/** Deals items to ranks in contiguous blocks whose sizes differ by at most one. */
export class Deal {
  /** This rank has the items from `first` up to, but not including, `end`. */
  readonly first: number;
  readonly end: number;
  private readonly bounds: Int32Array;

  constructor(items: number, ranks: number, rank: number) {
    this.bounds = new Int32Array(ranks + 1);
    for (let r = 0; r <= ranks; r++) this.bounds[r] = Math.floor((items * r) / ranks);
    this.first = this.bounds[rank];
    this.end = this.bounds[rank + 1];
  }

  /** Counts and displacements for allgatherv, where item i holds the elements from `starts(i)` to `starts(i + 1)`. */
  pieces(starts: (item: number) => number): { counts: Int32Array; displs: Int32Array } {
    const ranks = this.bounds.length - 1;
    const counts = new Int32Array(ranks);
    const displs = new Int32Array(ranks);
    for (let r = 0; r < ranks; r++) {
      displs[r] = starts(this.bounds[r]);
      counts[r] = starts(this.bounds[r + 1]) - displs[r];
    }
    return { counts, displs };
  }
}
