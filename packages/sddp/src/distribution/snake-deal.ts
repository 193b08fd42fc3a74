/**
 * Deals items that take unequal time: one item to each rank in turn, every second turn in reverse order. Neighbouring items take
 * similar time (the same openings from different trial points), so every rank gets some of each kind.
 */
export class SnakeDeal {
  private readonly items: number;
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
