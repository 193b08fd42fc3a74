/**
 * How items of unequal work are dealt to ranks: one to each rank in turn, and every second turn backwards, as a snake goes. Neighbours
 * are alike (openings of one trial point, trial points with the same openings), and so every rank gets some of each kind.
 */
export class SnakeDeal {
  readonly items: number;
  private readonly ranks: number;

  constructor(items: number, ranks: number) {
    this.items = items;
    this.ranks = ranks;
  }

  /** The items of a rank, in increasing order. */
  *of(rank: number): Generator<number> {
    for (let turn = 0; turn * this.ranks < this.items; turn++) {
      const place = turn % 2 === 0 ? rank : this.ranks - 1 - rank;
      const item = turn * this.ranks + place;
      if (item < this.items) yield item;
    }
  }
}
