/**
 * Memory through which very long pieces travel, in much longer parts than slots hold. The C library
 * copies parts of this length around the caches if it is told to (see `launch/c-library.ts`).
 *
 * The memory is made when it is first needed, and only if all ranks can get it. Most groups never
 * send such pieces, and containers have little shared memory.
 */

import type { ArrayType, CommArray } from "../arrays.js";
import { AllocationFailed } from "../errors/comm-error.js";
import { reasonOf } from "../errors/reason-of.js";
import { debug } from "../group/debug.js";
import type { SharedMemory } from "../memory/shared-memory.js";

/** How many bytes of a piece one step carries. */
export const STAGED_BYTES = 4_194_304;

/**
 * Every rank has room for two parts, used in turn: it writes one while others still read the other.
 */
const PARTS = 2;

/** Pieces shorter than this are not staged. */
export const STAGED_MIN_BYTES = 16_777_216;

/** The memory grows with the number of ranks. Larger groups do without it. */
const MAX_STAGED_RANKS = 8;

export class Staging {
  private readonly size: number;
  /** Collective: memory that all ranks have mapped. Throws `AllocationFailed` on all of them. */
  private readonly share: (bytes: number) => SharedMemory;
  private shared: SharedMemory | undefined;
  /** Whether ranks have found out if all of them can get the memory. */
  isDecided: boolean;
  private readonly views: CommArray[] = [];

  constructor(size: number, share: (bytes: number) => SharedMemory) {
    this.size = size;
    this.share = share;
    this.isDecided = size > MAX_STAGED_RANKS;
  }

  get hasRoom(): boolean {
    return this.shared !== undefined;
  }

  /** Collective: takes the memory if all ranks can get it. */
  open(): void {
    this.isDecided = true;
    try {
      this.shared = this.share(this.size * PARTS * STAGED_BYTES);
    } catch (error) {
      if (!(error instanceof AllocationFailed)) throw error;
      debug(undefined, `very long pieces are not staged: ${reasonOf(error)}`);
    }
  }

  /** The memory as elements of one type. Call `open` first. */
  view(type: ArrayType): CommArray {
    const view = this.views[type.code];
    if (view !== undefined) return view;
    const made = new type.constructorFunction((this.shared as SharedMemory).buffer);
    this.views[type.code] = made;
    return made;
  }

  /** The index in the view at which a rank's part begins. */
  at(rank: number, part: number, type: ArrayType): number {
    return ((rank * PARTS + (part % PARTS)) * STAGED_BYTES) / type.bytesPerElement;
  }
}
