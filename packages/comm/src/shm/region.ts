import type { CommArray, CommArrayConstructor } from "../arrays.js";
import type { ReadonlySlice, SharedRegion } from "../communicator.js";
import { InvalidCommunicator } from "../errors/comm-error.js";
import type { SharedMemory } from "./shared-memory.js";

/** A region that all ranks of the group have mapped: one copy, whoever writes it. */
export class ShmRegion<T extends CommArray> implements SharedRegion<T> {
  private elements: T | undefined;
  private readonly meet: () => void;

  /** @internal Regions are made by `createSharedRegion`. */
  constructor(
    shared: SharedMemory,
    type: CommArrayConstructor<T>,
    count: number,
    meet: () => void,
  ) {
    this.elements = new type(shared.buffer, 0, count);
    this.meet = meet;
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

  /** The memory goes when the last array over it is collected; see `SharedMemory`. */
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
