import type { CommArray } from "../arrays.js";
import type { ReadonlySlice, SharedRegion } from "../communicator.js";
import { InvalidCommunicator } from "../errors/comm-error.js";

/**
 * A region over an array, wherever the array's memory is. The memory is freed when the last array
 * over it is collected, so a view obtained before `close` can still be read afterwards.
 */
export class ArrayRegion<T extends CommArray> implements SharedRegion<T> {
  private elements: T | undefined;

  private readonly meetAll: () => void;

  /** @internal `createSharedRegion` makes regions. `fence` calls `meetAll`. */
  constructor(elements: T, meetAll: () => void) {
    this.elements = elements;
    this.meetAll = meetAll;
  }

  asSlice(): ReadonlySlice<T> {
    return this.open("asSlice") as ReadonlySlice<T>;
  }

  asMutSlice(): T {
    return this.open("asMutSlice");
  }

  fence(): void {
    this.open("fence");
    this.meetAll();
  }

  close(): void {
    this.elements = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  private open(operation: string): T {
    if (this.elements === undefined) throw new InvalidCommunicator(operation, "closed");
    return this.elements;
  }
}
