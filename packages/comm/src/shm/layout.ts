/**
 * The layout of a group's memory. docs/shm-protocol.md describes it in words. Change both together,
 * and `VERSION` with them.
 *
 * ```
 * 0            header (4 KiB)                        written by rank 0, before other ranks read it
 * 4096         records: 1 KiB per rank               each written by its rank: its process, how it ended
 * …            lines: 8.1 KiB per rank               each written by its rank: its last 128 steps;
 *                                                    on pages of their own
 * …            slots: 16 × SLOT_STRIDE per rank      each written by its rank: the data of its last steps
 * ```
 *
 * Every rank reserves the pages of its own lines and slots, rank 0 also those of header and records.
 * So they lie on the memory node of the rank that writes them.
 *
 * A rank announces **step** s in its line s mod 128. The step carries up to 40 bytes there, or up to
 * `SLOT_BYTES` in the rank's slot s mod 16. A collective takes one step or several.
 */
import { STAGGER_BYTES } from "../blocks.js";
import { PAGE_BYTES } from "../memory/reserve-pages.js";
import type { FilePart } from "../memory/system.js";

/** "COBRESHM" as two little-endian words. */
export const MAGIC = [0x52424f43, 0x4d485345] as const;
export const VERSION = 5;

const KIB = 1024;

/** The words of the header (32 bits each). */
export const HEADER = {
  magic: 0,
  version: 2,
  size: 3,
  totalBytes: 4,
  /** The number before the first step's. */
  firstStep: 6,
  /** 1 once the header is complete. */
  ready: 7,
  /** 1 once every rank has joined and the name is gone. */
  started: 8,
} as const;
const HEADER_BYTES = 4 * KIB;

/** The words of a rank's record. */
export const RECORD = {
  /** 1 once the rank has joined. */
  joined: 0,
  pid: 1,
  /** 1 once the rank has closed the communicator. */
  closed: 2,
  /** One of `ABORT` once the rank has given up. */
  abort: 3,
  /** The length in bytes of the text that says why. */
  textBytes: 4,
  /** 1 if the rank takes part in memory barriers that other ranks request; see `waiting.ts`. */
  registered: 5,
  /**
   * The address and the value of a number in the rank's private memory; see `direct.ts`. Float64.
   */
  tokenAddress: 8,
  token: 10,
  /** A number for the rank's process namespace: process ids mean the same in it. Float64. */
  namespace: 12,
  /** One bit for each rank that this rank found missing. */
  missing: 16,
  missingWords: 32,
  text: 64,
} as const;
const RECORD_BYTES = KIB;
export const RECORD_TEXT_BYTES = RECORD_BYTES - RECORD.text * 4;
export const MAX_RANKS = RECORD.missingWords * 32;

/** How many lines a rank has. A rank may be almost this many steps ahead of the others. */
export const RING = 128;

/** How many slots a rank has. They limit a rank that moves long messages to fewer steps ahead. */
export const SLOTS = 16;

/**
 * The words of a line. The step is written last: it publishes the rest. A line is one cache line,
 * so a small contribution reaches another core in one transfer.
 */
export const LINE = {
  step: 0,
  /** The owner's call and a hash of all its calls so far; see `group/fingerprint.ts`. */
  call: 1,
  history: 2,
  /** A float64. */
  length: 4,
  payload: 6,
} as const;
export const LINE_WORDS = 16;
const LINE_BYTES = LINE_WORDS * 4;
/** The lines of a rank. The line with the sleep word comes first. */
const OWN_LINES_BYTES = (1 + RING) * LINE_BYTES;
/**
 * From one rank's lines to the next rank's: three pages and a line. No page has lines of two ranks.
 * And lines of the same step lie at different places in their pages: a processor that writes one and
 * then reads the other would confuse them otherwise.
 */
export const RANK_LINES_BYTES = 3 * PAGE_BYTES + LINE_BYTES;
export const INLINE_WORDS = LINE_WORDS - LINE.payload;

/** Private memory after the shared memory. Results are made there before they are copied. */
export const SCRATCH_BYTES = 128 * KIB;

/** The most that one step can carry. */
export const SLOT_BYTES = 64 * KIB;

/** From one slot to the next. */
const SLOT_STRIDE = SLOT_BYTES + STAGGER_BYTES;

function wholePages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
}

/** The layout for one number of ranks. All offsets are in bytes. */
export class Layout {
  readonly size: number;
  readonly totalBytes: number;
  private readonly linesAt: number;
  private readonly slotsAt: number;

  constructor(size: number) {
    this.size = size;
    this.linesAt = wholePages(HEADER_BYTES + size * RECORD_BYTES);
    this.slotsAt = wholePages(this.linesAt + size * RANK_LINES_BYTES) + 320;
    // A group of one exchanges nothing.
    this.totalBytes = this.slotsAt + (size === 1 ? 0 : size * SLOTS * SLOT_STRIDE);
  }

  /** The parts that a rank reserves, because it writes them. Nothing else is ever touched. */
  parts(rank: number): FilePart[] {
    const shared = { offset: 0, bytes: this.linesAt };
    return [
      ...(rank === 0 ? [shared] : []),
      { offset: this.sleepWord(rank), bytes: OWN_LINES_BYTES },
      { offset: this.slot(rank, 0), bytes: this.size === 1 ? 0 : SLOTS * SLOT_STRIDE },
    ];
  }

  record(rank: number): number {
    return HEADER_BYTES + rank * RECORD_BYTES;
  }

  /**
   * The word in which a rank says which rank it sleeps on: that rank plus one, or 0 when it is
   * awake. The word has a cache line to itself, which the other cores keep cached until the rank
   * goes to sleep.
   */
  sleepWord(rank: number): number {
    return this.linesAt + rank * RANK_LINES_BYTES;
  }

  /** The first of a rank's lines. The others follow, `LINE_WORDS` words apart. */
  lines(rank: number): number {
    return this.sleepWord(rank) + LINE_BYTES;
  }

  slot(rank: number, step: number): number {
    return this.slotsAt + (rank * SLOTS + (step & (SLOTS - 1))) * SLOT_STRIDE;
  }
}
