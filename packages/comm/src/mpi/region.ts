import { ArrayRegion } from "../array-region.js";
import type { CommArray } from "../arrays.js";

/** A region: one copy per machine, for all ranks there. */
export class MpiRegion<T extends CommArray> extends ArrayRegion<T> {
  private readonly meetAll: () => void;

  /** @internal Regions are made by `createSharedRegion`. */
  constructor(elements: T, meet: () => void) {
    super(elements);
    this.meetAll = meet;
  }

  protected meet(): void {
    this.meetAll();
  }
}
