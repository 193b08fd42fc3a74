import type { SharedMemorySystem } from "./system.js";

const PAGE_BYTES = 65_536;

/** The most that a WebAssembly memory, and so a mapping, can have. */
export const MAX_MAPPED_BYTES = 65_535 * PAGE_BYTES;

/**
 * Shared memory, mapped over a WebAssembly memory.
 *
 * This has two advantages over a view of a separate mapping. The SIMD kernels fold its contents
 * without a copy. And the garbage collector owns it: the memory is unmapped when the last array
 * over it is gone, so no view can ever be read after that.
 */
export class SharedMemory {
  readonly memory: WebAssembly.Memory;
  readonly buffer: ArrayBuffer;
  readonly address: number;
  /** The offset at which private memory begins, after the shared memory. */
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
