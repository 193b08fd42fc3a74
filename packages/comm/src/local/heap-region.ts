import { freemem } from "node:os";
import { ArrayRegion } from "../array-region.js";
import type { CommArray, CommArrayConstructor } from "../arrays.js";
import { checkRegionRequest } from "../checks/region.js";
import { AllocationFailed } from "../errors/comm-error.js";

/** A region in this process's own memory, for backends whose ranks cannot share any. */
export class HeapRegion<T extends CommArray> extends ArrayRegion<T> {
  constructor(type: CommArrayConstructor<T>, count: number) {
    super(allocate(type, count));
  }

  /** Nobody else sees this memory, so there is nothing to order. */
  protected meet(): void {}
}

function allocate<T extends CommArray>(type: CommArrayConstructor<T>, count: number): T {
  const bytes = checkRegionRequest(type, count);
  try {
    return new type(count);
  } catch (cause) {
    throw new AllocationFailed(bytes, freemem(), "ask for a smaller region.", cause);
  }
}
