import type { Communicator } from "@cobre/comm";
import type { SddpEvent } from "../events.js";
import type { StageSolves } from "../stage/solve-statistics.js";

/** Shares are exchanged as whole numbers. */
const WHOLE = 1000;

/**
 * How busy each rank was in an iteration. It travels with the question whether to stop, in two numbers for each rank, so that it costs no
 * collective of its own.
 */
export class RankMeasures {
  /** For a maximum over all ranks: what this rank measured, and 0 in the places of the others. */
  readonly mine: Int32Array;
  private readonly size: number;

  /** @param exchanging the part of the iteration that this rank spent waiting for others or exchanging data with them */
  constructor({ rank, size }: Communicator, exchanging: number, solves: readonly StageSolves[]) {
    this.size = size;
    this.mine = new Int32Array(2 * size);
    this.mine[2 * rank] = Math.round(WHOLE * Math.min(1, Math.max(0, 1 - exchanging)));
    this.mine[2 * rank + 1] = solves.reduce(
      (sum, stage) => sum + stage.solves - (stage.byAttempts[0] ?? 0),
      0,
    );
  }

  /** What all ranks measured, from the maximum over all of them. */
  eventOf(iteration: number, all: Int32Array): SddpEvent {
    const ranks = Array.from({ length: this.size }, (_, rank) => rank);
    const busy = ranks.map((rank) => (all[2 * rank] ?? 0) / WHOLE);
    const retriedSolves = ranks.reduce((sum, rank) => sum + (all[2 * rank + 1] ?? 0), 0);
    return { type: "ranks_measured", iteration, busy, retriedSolves };
  }
}
