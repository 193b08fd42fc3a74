import type { CommArray } from "./arrays.js";
import type { ReadonlySlice, SharedRegion } from "./communicator.js";
import { InvalidCommunicator } from "./errors/comm-error.js";

/**
 * A region over an array, wherever its memory is. The memory goes when the last array over it is
 * collected, so a view that was obtained before `close` can be read without fault after it.
 */
export abstract class ArrayRegion<T extends CommArray> implements SharedRegion<T> {
  private elements: T | undefined;

  constructor(elements: T) {
    this.elements = elements;
  }

  asSlice(): ReadonlySlice<T> {
    return this.open("asSlice") as ReadonlySlice<T>;
  }

  asMutSlice(): T {
    return this.open("asMutSlice");
  }

  fence(): void {
    this.open("fence");
    this.meet();
  }

  close(): void {
    this.elements = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Makes what any rank has written visible to all. */
  protected abstract meet(): void;

  private open(operation: string): T {
    if (this.elements === undefined) throw new InvalidCommunicator(operation, "closed");
    return this.elements;
  }
}
