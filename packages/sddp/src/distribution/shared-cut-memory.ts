import type { SharedMemoryProvider, SharedRegion } from "@cobre/comm";
import type { CutMemory } from "../cuts/cut-memory.js";

/** Memory for cuts that the ranks of a machine share where the backend can: its leader writes, all of them read. */
export class SharedCutMemory implements CutMemory, Disposable {
  private readonly comm: SharedMemoryProvider;
  private readonly regions: SharedRegion<Float64Array>[] = [];

  constructor(comm: SharedMemoryProvider) {
    this.comm = comm;
  }

  get isWriter(): boolean {
    return this.comm.isLeader;
  }

  allocate(length: number): Float64Array {
    const region = this.comm.createSharedRegion(Float64Array, length);
    this.regions.push(region);
    return region.asMutSlice();
  }

  /** Collective: after it, all ranks see what the leaders have written. */
  fence(): void {
    this.regions[0]?.fence();
  }

  /** Pools stay readable: memory goes back to the system when nothing refers to it. */
  close(): void {
    for (const region of this.regions) region.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
