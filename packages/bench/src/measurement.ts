/** The times of one cell in one launch. */
export interface BatchTimes {
  readonly op: string;
  readonly bytes: number;
  /** Microseconds per call, one figure per batch. */
  readonly times: readonly number[];
}

/** A line of the results. */
export interface Measurement {
  readonly backend: string;
  readonly ranks: number;
  readonly op: string;
  readonly bytes: number;
  /** Microseconds per call: the median. */
  readonly us: number;
  /** The minimum. */
  readonly best: number;
}

/** A measurement with that of a peer, made at the same time. */
export interface Comparison extends Measurement {
  /** The name of the peer. */
  readonly peer: string;
  readonly peerUs: number;
  /** `us / peerUs` */
  readonly ratio: number;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Reads lines of the form `op bytes t t t …` and ignores everything else that a launcher may have printed. Several lines of the same
 * cell are combined.
 */
export function parseBatchTimes(output: string): BatchTimes[] {
  const cells = new Map<string, BatchTimes>();
  for (const line of output.split("\n")) {
    const match = /^(([a-z-]+) (\d+))((?: \d+\.\d+)+)$/.exec(line.trim());
    if (match === null) continue;
    const [, cell = "", op = "", bytes, text = ""] = match;
    const times = [...(cells.get(cell)?.times ?? []), ...text.trim().split(" ").map(Number)];
    cells.set(cell, { op, bytes: Number(bytes), times });
  }
  return [...cells.values()];
}

/** Combines the rounds of one contestant, cell by cell: the median of the rounds' medians, and the minimum. */
export function combineRounds(
  backend: string,
  ranks: number,
  rounds: readonly (readonly BatchTimes[])[],
): Measurement[] {
  const cells = rounds[0] ?? [];
  return cells.map(({ op, bytes }, i) => {
    const times = rounds.map((round) => round[i]?.times ?? []);
    const us = median(times.map(median));
    return { backend, ranks, op, bytes, us, best: Math.min(...times.flat()) };
  });
}
