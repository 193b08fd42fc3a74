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

/** Some terms of the heights of cuts: the intercept or an earlier sum, and coefficients times values. */
export interface HeightTerms {
  /** The first cut that is asked for. */
  readonly first: number;
  /** What the sum of each of these cuts begins with; without it, its intercept. */
  readonly sums?: Float64Array | undefined;
  /** The first component of the state whose terms are added, … */
  readonly from: number;
  /** … and the one after the last. */
  readonly to: number;
  readonly states: Float64Array;
  /** Where the state begins. */
  readonly offset: number;
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

  /** Writes the sums of these terms and returns the highest. */
  compute({ first, sums, from, to, states, offset }: HeightTerms, heights: Float64Array): number {
    const { room, dimension, cuts } = this;
    const { numbers, kernel } = room;
    for (let i = from; i < to; i++) numbers[i] = states[offset + i];
    const count = cuts - first;
    const width = 1 + dimension;
    const cut = dimension + cuts + first * width;
    if (sums !== undefined) numbers.set(sums.subarray(0, count), dimension);
    const highest = kernel.addTerms(
      (sums === undefined ? cut : dimension) * NUMBER,
      (sums === undefined ? width : 1) * NUMBER,
      (cut + 1 + from) * NUMBER,
      width * NUMBER,
      count,
      from * NUMBER,
      to * NUMBER,
      dimension * NUMBER,
    );
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
