import { ArrayRegion } from "../array-region.js";
import type { CommArray, CommArrayConstructor } from "../arrays.js";
import type { SharedMemory } from "./shared-memory.js";

/** A region that all ranks of the group have mapped: one copy, whoever writes it. */
export class ShmRegion<T extends CommArray> extends ArrayRegion<T> {
  private readonly meetAll: () => void;

  /** @internal Regions are made by `createSharedRegion`. */
  constructor(
    shared: SharedMemory,
    type: CommArrayConstructor<T>,
    count: number,
    meet: () => void,
  ) {
    super(new type(shared.buffer, 0, count));
    this.meetAll = meet;
  }

  protected meet(): void {
    this.meetAll();
  }
}
