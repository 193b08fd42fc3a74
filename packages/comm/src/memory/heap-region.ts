import { freemem } from "node:os";
import type { CommArray, CommArrayConstructor } from "../arrays.js";
import { checkRegionRequest } from "../checks/region.js";
import { AllocationFailed } from "../errors/comm-error.js";
import { ArrayRegion } from "./array-region.js";

/** A region in this process's own memory, for backends whose ranks cannot share memory. */
export class HeapRegion<T extends CommArray> extends ArrayRegion<T> {
  constructor(type: CommArrayConstructor<T>, count: number) {
    // No other rank sees this memory, so a fence has nothing to do.
    super(allocate(type, count), () => {});
  }
}

function allocate<T extends CommArray>(type: CommArrayConstructor<T>, count: number): T {
  const bytes = checkRegionRequest(type, count);
  try {
    return new type(count);
  } catch (cause) {
    throw new AllocationFailed(bytes, freemem(), "ask for a smaller region.", cause);
  }
}
