const WANTED_BYTES = 2 ** 30;
const LEAST_BYTES = 2 ** 26;
const SMALLEST_BLOCK = 64;

/**
 * Memory that JavaScript shares with a native library. It holds the arrays that are passed from one to the other, and nothing of the
 * solver's own. Pages that nobody has written take no memory. A list of free blocks for each power of two stands for malloc. Addresses
 * are offsets, and 0 is none of them.
 */
export class Arena {
  readonly buffer: ArrayBuffer;
  private next = SMALLEST_BLOCK;
  private readonly free = new Map<number, number[]>();
  private readonly sizes = new Map<number, number>();

  /** @param bytes less is taken if the system does not give as much */
  constructor(bytes = WANTED_BYTES) {
    this.buffer = create(bytes);
  }

  /** The offset of a block, or 0 if there is no room for it. */
  allocate(bytes: number): number {
    const size = blockSize(bytes);
    const reused = this.free.get(size)?.pop();
    if (reused !== undefined) {
      this.sizes.set(reused, size);
      return reused;
    }
    const offset = this.next;
    if (offset + size > this.buffer.byteLength) return 0;
    this.next += size;
    this.sizes.set(offset, size);
    return offset;
  }

  /** Gives a block back. As in C, 0 is no block, and nothing happens. */
  release(offset: number): void {
    const size = this.sizes.get(offset);
    if (size === undefined) return;
    this.sizes.delete(offset);
    const blocks = this.free.get(size);
    if (blocks === undefined) this.free.set(size, [offset]);
    else blocks.push(offset);
  }
}

function blockSize(bytes: number): number {
  let size = SMALLEST_BLOCK;
  while (size < bytes) size *= 2;
  return size;
}

function create(bytes: number): ArrayBuffer {
  for (let size = bytes; ; size /= 2) {
    try {
      return new ArrayBuffer(size);
    } catch (error) {
      if (size / 2 < LEAST_BYTES) throw error;
    }
  }
}
