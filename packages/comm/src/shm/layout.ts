/**
 * Where everything stands in the memory of a group. docs/shm-protocol.md says the same in words;
 * change both together, and `VERSION` with them.
 *
 * ```
 * 0            header (4 KiB)                        written by rank 0, before anybody else looks
 * 4096         records: 1 KiB per rank               each written by its rank: who it is, how it ended
 * …            lines: 8.1 KiB per rank               each written by its rank: its last 128 steps
 * …            slots: 16 × SLOT_STRIDE per rank      each written by its rank: the data of its last steps
 * ```
 *
 * A **step** is one meeting. Step s of a rank is announced in its line s mod 128 and carries up to 40
 * bytes there, or up to `SLOT_BYTES` in its slot s mod 16. A collective is one step or several.
 */

/** "COBRESHM" as two little-endian words. */
export const MAGIC = [0x52424f43, 0x4d485345] as const;
export const VERSION = 3;

const KIB = 1024;

/** Words of the header (32 bits each). */
export const HEADER = {
  magic: 0,
  version: 2,
  size: 3,
  totalBytes: 4,
  slotBytes: 5,
  /** The number before that of the first step. */
  firstStep: 6,
  /** 1 once the header is complete. */
  ready: 7,
  /** 1 once every rank has joined and the name is gone. */
  started: 8,
} as const;
const HEADER_BYTES = 4 * KIB;

/** Words of a rank's record. */
export const RECORD = {
  /** 1 once the rank has joined. */
  joined: 0,
  pid: 1,
  /** 1 once the rank has closed the communicator. */
  closed: 2,
  /** One of `ABORT`, once the rank has given up. */
  abort: 3,
  /** How many bytes the text is long that says why. */
  textBytes: 4,
  /** 1 if the rank takes part in memory barriers that others ask for; see `waiting.ts`. */
  registered: 5,
  /** Where in its own memory the rank keeps a number, and which number; see `direct.ts`. Float64. */
  tokenAddress: 8,
  token: 10,
  /** One bit per rank that it found missing. */
  missing: 16,
  missingWords: 32,
  text: 64,
} as const;
const RECORD_BYTES = KIB;
export const RECORD_TEXT_BYTES = RECORD_BYTES - RECORD.text * 4;
export const MAX_RANKS = RECORD.missingWords * 32;

/** Why a rank gave up. */
export const ABORT = { none: 0, mismatch: 1, missing: 2, exception: 3 } as const;

/** How many lines a rank has, one a step: a rank may be that far ahead of others, nearly. */
export const RING = 128;

/** How many slots a rank has: a rank that fills them may not be so far ahead. */
export const SLOTS = 16;

/**
 * Words of a line. The number of the step is written last: it publishes all the rest. One line is one
 * cache line, so a small contribution reaches another core in one transfer.
 */
export const LINE = {
  step: 0,
  /** What the owner calls, and a hash of all it has called; see `fingerprint.ts`. */
  call: 1,
  history: 2,
  /** A float64. */
  length: 4,
  payload: 6,
} as const;
export const LINE_WORDS = 16;
const LINE_BYTES = LINE_WORDS * 4;
/** From one rank's lines to the next's: the line with its sleep word comes first. */
export const RANK_LINES_BYTES = (1 + RING) * LINE_BYTES;
export const INLINE_WORDS = LINE_WORDS - LINE.payload;

/** Private memory behind the shared one, where results are made before they are copied. */
export const SCRATCH_BYTES = 128 * KIB;

/** The most that one step can carry. */
export const SLOT_BYTES = 64 * KIB;

/**
 * Slots are not a multiple of 4 KiB apart, nor is the first: a copy between addresses that differ by
 * such a multiple takes four times as long on common processors.
 */
const SLOT_STRIDE = SLOT_BYTES + 576;

/** The layout for one number of ranks. All offsets are in bytes. */
export class Layout {
  readonly size: number;
  readonly totalBytes: number;
  private readonly linesAt: number;
  private readonly slotsAt: number;

  constructor(size: number) {
    this.size = size;
    this.linesAt = HEADER_BYTES + size * RECORD_BYTES;
    this.slotsAt = this.linesAt + size * RANK_LINES_BYTES + 320;
    // A group of one has nobody to hand anything to.
    this.totalBytes = this.slotsAt + (size === 1 ? 0 : size * SLOTS * SLOT_STRIDE);
  }

  record(rank: number): number {
    return HEADER_BYTES + rank * RECORD_BYTES;
  }

  /**
   * The word in which a rank says on whom it sleeps: that rank plus one; 0 when it is awake. It is
   * alone in its cache line, which all others keep at hand as long as nobody sleeps.
   */
  sleepWord(rank: number): number {
    return this.linesAt + rank * RANK_LINES_BYTES;
  }

  /** The first of a rank's lines; the others follow it, `LINE_WORDS` apart. */
  lines(rank: number): number {
    return this.sleepWord(rank) + LINE_BYTES;
  }

  slot(rank: number, step: number): number {
    return this.slotsAt + (rank * SLOTS + (step & (SLOTS - 1))) * SLOT_STRIDE;
  }
}
