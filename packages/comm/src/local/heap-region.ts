import { freemem } from "node:os";
import type { CommArray, CommArrayConstructor } from "../arrays.js";
import { checkRegionRequest } from "../checks/region.js";
import type { ReadonlySlice, SharedRegion } from "../communicator.js";
import { AllocationFailed, InvalidCommunicator } from "../errors/comm-error.js";

/** A region in this process's own memory, for backends whose ranks cannot share any. */
export class HeapRegion<T extends CommArray> implements SharedRegion<T> {
  private elements: T | undefined;

  constructor(type: CommArrayConstructor<T>, count: number) {
    const bytes = checkRegionRequest(type, count);
    try {
      this.elements = new type(count);
    } catch (cause) {
      throw new AllocationFailed(bytes, freemem(), "ask for a smaller region.", cause);
    }
  }

  asSlice(): ReadonlySlice<T> {
    return this.asMutSlice() as ReadonlySlice<T>;
  }

  asMutSlice(): T {
    return this.open("asMutSlice");
  }

  /** Nobody else sees this memory, so there is nothing to order. */
  fence(): void {
    this.open("fence");
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
