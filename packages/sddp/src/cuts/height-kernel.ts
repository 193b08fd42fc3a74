import { type Kernel, kernelOver } from "../kernel/instance.js";

const NUMBER = Float64Array.BYTES_PER_ELEMENT;
const PAGE = 2 ** 16;
/** A memory of WebAssembly can have no more. */
const MOST_BYTES = 2 ** 32;

interface Room {
  /** The whole memory of the kernel: a state, heights, then cuts. */
  readonly numbers: Float64Array;
  readonly kernel: Kernel;
}

/**
 * Computes the heights of cuts in WebAssembly, which takes a quarter of the time that JavaScript needs. WebAssembly sees nothing but its own memory,
 * so the cuts of one pool are copied there, to the end of it. They are there for all solves of a stage that follow each other.
 */
export class HeightKernel {
  private room = makeRoom(1);
  /** The pool whose cuts are there, and how many of them. */
  private pool = 0;
  private cuts = 0;
  private dimension = 0;

  /** Whether all cuts of a pool are there. */
  holds(pool: number, cuts: number): boolean {
    return this.pool === pool && this.cuts === cuts;
  }

  /** Where the cuts of a pool are to be written, cut after cut; `undefined` if there is no memory for them. */
  reserve(pool: number, cuts: number, dimension: number): Float64Array | undefined {
    this.pool = pool;
    this.cuts = cuts;
    this.dimension = dimension;
    const first = dimension + cuts;
    const end = first + cuts * (1 + dimension);
    if (!this.hasRoom(end * NUMBER)) {
      this.cuts = 0;
      return undefined;
    }
    return this.room.numbers.subarray(first, end);
  }

  /** The heights of the cuts from number `first` on at a state, which is read from `states` at `offset`. Returns the highest. */
  compute(first: number, states: Float64Array, offset: number, heights: Float64Array): number {
    const { room, dimension, cuts } = this;
    const { numbers, kernel } = room;
    for (let i = 0; i < dimension; i++) numbers[i] = states[offset + i];
    const from = dimension + cuts + first * (1 + dimension);
    const count = cuts - first;
    const highest = kernel.heights(from * NUMBER, count, dimension, 0, dimension * NUMBER);
    heights.set(numbers.subarray(dimension, dimension + count));
    return highest;
  }

  /**
   * Makes a larger memory if there is too little. One that grows would detach its old buffer, and as soon as one buffer of the process has been
   * detached, V8 checks all typed arrays at every access: the simplex method took a quarter longer.
   */
  private hasRoom(bytes: number): boolean {
    const { byteLength } = this.room.numbers;
    if (bytes <= byteLength) return true;
    if (bytes > MOST_BYTES) return false;
    try {
      const pages = Math.ceil(Math.min(MOST_BYTES, Math.max(bytes, 2 * byteLength)) / PAGE);
      this.room = makeRoom(pages);
      return true;
    } catch {
      return false;
    }
  }
}

function makeRoom(pages: number): Room {
  const memory = new WebAssembly.Memory({ initial: pages });
  return { numbers: new Float64Array(memory.buffer), kernel: kernelOver(memory) };
}
