/**
 * Room through which very long pieces travel, in much longer parts than slots have: a copy of such a length the C library writes around
 * the caches, if it is told to (see `launch/c-library.ts`).
 *
 * It is made when it is first needed, and only if all ranks can have it: most groups never send such pieces, and containers have little
 * shared memory.
 */
import type { ArrayType, CommArray } from "../arrays.js";
import { AllocationFailed } from "../errors/comm-error.js";
import type { SharedMemory } from "./shared-memory.js";

/** How much of a piece one step carries. */
export const STAGED_BYTES = 4_194_304;

/** Every rank has two parts, used in turn: one is written while others still read the other one. */
const PARTS = 2;

/** From how many bytes on a piece is worth it. */
export const STAGED_MIN_BYTES = 16_777_216;

/** The room grows with the ranks: larger groups use slots. */
const MAX_STAGED_RANKS = 8;

export class Staging {
  private readonly size: number;
  /** Collective: memory that all ranks have mapped; throws `AllocationFailed` on all of them. */
  private readonly share: (bytes: number) => SharedMemory;
  private shared: SharedMemory | undefined;
  /** Whether it is known if there is room. */
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

  /** Collective: takes the room, if all ranks can have it. */
  open(): void {
    this.isDecided = true;
    try {
      this.shared = this.share(this.size * PARTS * STAGED_BYTES);
    } catch (error) {
      if (!(error instanceof AllocationFailed)) throw error;
    }
  }

  /** The room, as elements of one type; only after it was opened. */
  view(type: ArrayType): CommArray {
    const view = this.views[type.code];
    if (view !== undefined) return view;
    const made = new type.constructorFunction((this.shared as SharedMemory).buffer);
    this.views[type.code] = made;
    return made;
  }

  /** Where in the view a rank's part stands. */
  at(rank: number, part: number, type: ArrayType): number {
    return ((rank * PARTS + (part % PARTS)) * STAGED_BYTES) / type.bytesPerElement;
  }
}
