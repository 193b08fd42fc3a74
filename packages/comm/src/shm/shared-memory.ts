import type { SharedMemorySystem } from "../ffi/shared-memory-system.js";

const PAGE_BYTES = 65_536;

/** More than this a WebAssembly memory, and so a mapping, cannot have. */
export const MAX_MAPPED_BYTES = 65_535 * PAGE_BYTES;

/**
 * Shared memory, mapped in the place of a WebAssembly memory's own.
 *
 * That has two merits over a view of a mapping made elsewhere. The SIMD kernels fold what lies in
 * it without a copy. And it belongs to the garbage collector: it is unmapped when the last array
 * over it is gone, so no view can ever be read after its memory was taken away.
 */
export class SharedMemory {
  readonly memory: WebAssembly.Memory;
  readonly buffer: ArrayBuffer;
  readonly address: number;
  /** Where private memory begins, behind what is shared. */
  readonly scratch: number;

  /** Throws `RangeError` if the address space has no room, `SystemCallError` if mapping fails. */
  constructor(system: SharedMemorySystem, fd: number, bytes: number, scratchBytes = 0) {
    const pages = Math.ceil(bytes / PAGE_BYTES);
    const total = pages + scratchBytes / PAGE_BYTES;
    this.memory = new WebAssembly.Memory({ initial: total, maximum: total });
    this.buffer = this.memory.buffer;
    this.scratch = pages * PAGE_BYTES;
    this.address = system.addressOf(new Uint8Array(this.buffer));
    if (bytes > 0) system.mapOver(this.buffer, fd, bytes);
  }
}
