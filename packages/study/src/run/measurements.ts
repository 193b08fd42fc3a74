import type { Communicator } from "@cobre/comm";
import type { CoefficientRanges, SddpEvent, StageSolves } from "@cobre/sddp";
import { sumSolves } from "./solve-sums.js";

/** The times of one iteration on one rank. */
export interface IterationTimes {
  readonly iteration: number;
  readonly rank: number;
  readonly forwardMs: number;
  readonly backwardMs: number;
  readonly boundMs: number;
  readonly totalMs: number;
  readonly solvingMs: number;
  /** In collectives, including waiting. */
  readonly communicationMs: number;
  /** The part of it in which this rank waited for others; NaN if that was not measured. */
  readonly waitingMs: number;
  readonly lpSolves: number;
  readonly forwardPasses: number;
}

/** The measurements of all ranks. */
export interface SharedMeasurements {
  /** By iteration, then rank. */
  readonly times: readonly IterationTimes[];
  /** Sums over all ranks, by iteration. */
  readonly solves: readonly {
    readonly iteration: number;
    readonly solves: readonly StageSolves[];
  }[];
}

const FIELDS = [
  "iteration",
  "rank",
  "forwardMs",
  "backwardMs",
  "boundMs",
  "totalMs",
  "solvingMs",
  "communicationMs",
  "waitingMs",
  "lpSolves",
  "forwardPasses",
] as const satisfies readonly (keyof IterationTimes)[];

/** What a selection of cuts did. */
export type CutsSelected = Extract<SddpEvent, { readonly type: "cuts_selected" }>;

/** Collects measurements from a rank's events. They cover this run only, not the time before it was resumed. */
export class Measurements {
  /** The ranges of the coefficients in the programs. */
  ranges: readonly CoefficientRanges[] = [];
  /** What this rank solved in the simulation. */
  simulationSolves: readonly StageSolves[] = [];
  /** What each selection of cuts did, which is the same on all ranks. */
  readonly selections: CutsSelected[] = [];
  private readonly rank: number;
  private readonly splitsWaiting: boolean;
  private readonly times: IterationTimes[] = [];
  private readonly solves: (readonly StageSolves[])[] = [];
  private boundMs = 0;

  constructor(rank: number, splitsWaiting = false) {
    this.rank = rank;
    this.splitsWaiting = splitsWaiting;
  }

  readonly onEvent = (event: SddpEvent): void => {
    if (event.type === "programs_built") this.ranges = event.ranges;
    if (event.type === "cuts_selected") this.selections.push(event);
    if (event.type === "bound_done") this.boundMs = event.ms;
    if (event.type === "simulation_done") this.simulationSolves = event.solves;
    if (event.type !== "iteration_done") return;
    const { record, solves, solvingMs, waitingMs, movingMs } = event;
    const { iteration, forwardMs, backwardMs, totalMs } = record;
    const forward = solves.filter(({ phase }) => phase === "forward");
    this.times.push({
      iteration,
      rank: this.rank,
      forwardMs,
      backwardMs,
      boundMs: this.boundMs,
      totalMs,
      solvingMs,
      communicationMs: waitingMs + movingMs,
      waitingMs: this.splitsWaiting ? waitingMs : Number.NaN,
      lpSolves: solves.reduce((sum, stage) => sum + stage.solves, 0),
      forwardPasses: forward[0]?.solves ?? 0, // each pass is solved once in every stage
    });
    this.solves.push(solves);
  };

  /** Collective: gives every rank the measurements of all ranks. */
  share(comm: Communicator, stages: number, attempts: number): SharedMeasurements {
    const { times } = this;
    const sums = sumSolves(comm, this.solves, stages, attempts);
    return {
      times: gatherTimes(comm, times),
      solves: times.map(({ iteration }, i) => ({ iteration, solves: sums[i] ?? [] })),
    };
  }
}

function gatherTimes(comm: Communicator, mine: readonly IterationTimes[]): IterationTimes[] {
  const width = FIELDS.length;
  const length = mine.length * width;
  if (length === 0 || comm.size === 1) return [...mine];
  const packed = Float64Array.from(mine.flatMap((row) => FIELDS.map((field) => row[field])));
  const ranks = Array.from({ length: comm.size }, (_, rank) => rank);
  const all = new Float64Array(length * comm.size);
  comm.allgatherv(
    packed,
    all,
    ranks.map(() => length),
    ranks.map((rank) => rank * length),
  );
  return mine.flatMap((_, i) =>
    ranks.map((rank) => {
      const at = rank * length + i * width;
      return Object.fromEntries(
        FIELDS.map((field, f) => [field, all[at + f]]),
      ) as unknown as IterationTimes;
    }),
  );
}
