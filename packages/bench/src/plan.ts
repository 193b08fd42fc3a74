/** What is measured: a plan is a list of cells, the same for every contestant. A cell may be in it more than once. */

/** The collectives that rank.ts, collectives.c and collectives.py all implement. */
export const OPERATIONS = [
  "barrier",
  "allreduce",
  "allgatherv",
  "broadcast",
  "broadcast-rotating",
] as const;

export type OperationName = (typeof OPERATIONS)[number];

/** The operations of the table by default. */
export const DEFAULT_OPERATIONS: readonly OperationName[] = [
  "barrier",
  "allreduce",
  "allgatherv",
  "broadcast",
];

const KIB = 1024;
const MIB = 1024 * KIB;

/** The bytes that each rank contributes, or that the root of a broadcast sends. */
export const DEFAULT_BYTES: readonly number[] = [8, 32, KIB, 8 * KIB, 64 * KIB, MIB, 8 * MIB];

/** One measurement. */
export interface Cell {
  readonly op: OperationName | "copy" | "copy-pieces";
  readonly bytes: number;
  /** Calls per batch. */
  readonly calls: number;
  /** Batches before the measurement. */
  readonly warmup: number;
  /** Batches that are timed. */
  readonly batches: number;
}

/** Calls per batch by size, chosen so that a batch lasts a few milliseconds. */
const CALLS: readonly (readonly [upToBytes: number, calls: number])[] = [
  [64, 4000],
  [KIB, 2000],
  [8 * KIB, 800],
  [64 * KIB, 100],
  [512 * KIB, 20],
  [MIB, 10],
  [8 * MIB, 2],
  [Number.POSITIVE_INFINITY, 1],
];

/** `crowded`: there are more ranks than cores, so a call waits for the scheduler and takes far longer. */
function callsPerBatch(bytes: number, crowded: boolean): number {
  const calls = CALLS.find(([upToBytes]) => bytes <= upToBytes)?.[1] ?? 1;
  return crowded ? Math.max(Math.ceil(calls / 4), Math.min(calls, 2)) : calls;
}

/**
 * The calls that every contestant makes before the measurement. V8 still compiles during the first thousands, on a core that a rank is
 * using. Sizes above 1 MiB need fewer, because the same code has already run.
 */
const WARMUP_CALLS = 4000;

function warmupBatches(bytes: number, calls: number): number {
  return bytes > MIB ? 20 : Math.max(20, Math.ceil(WARMUP_CALLS / calls));
}

export interface PlanOptions {
  readonly ops: readonly OperationName[];
  readonly bytes: readonly number[];
  readonly crowded: boolean;
  readonly quick: boolean;
}

/**
 * A plan goes over its cells several times. A virtual machine can be half as fast for several seconds, and the batches of a
 * cell should not all fall into such a time.
 */
const PASSES = 5;
const BATCHES_PER_PASS = 5;

/** In a later pass the code is warm, but the arrays are new. */
const REWARM_BATCHES = 2;

/** The cells of one table in the order of its rows, repeated for each pass. */
export function makePlan({ ops, bytes, crowded, quick }: PlanOptions): Cell[] {
  const batches = BATCHES_PER_PASS;
  const first = ops.flatMap((op) =>
    (op === "barrier" ? [0] : bytes).map((size): Cell => {
      const calls = callsPerBatch(size, crowded);
      const warmup = quick ? 2 : warmupBatches(size, calls);
      return { op, bytes: size, calls, warmup, batches };
    }),
  );
  if (quick) return first;
  const later = first.map((cell) => ({ ...cell, warmup: REWARM_BATCHES }));
  return [first, ...new Array<Cell[]>(PASSES - 1).fill(later)].flat();
}

/** A cell as a command-line argument of the programs. */
export function encodeCell({ op, bytes, calls, warmup, batches }: Cell): string {
  return [op, bytes, calls, warmup, batches].join(":");
}

export function decodeCell(text: string): Cell {
  const [op, bytes, calls, warmup, batches] = text.split(":");
  return {
    op: op as Cell["op"],
    bytes: Number(bytes),
    calls: Number(calls),
    warmup: Number(warmup),
    batches: Number(batches),
  };
}
