import type { Communicator } from "@cobre/comm";
import type { CoefficientRanges, SddpEvent, StageSolves } from "@cobre/sddp";
import { sumSolves } from "./solve-sums.js";

/** Where the time of one iteration went on one rank. */
export interface IterationTimes {
  readonly iteration: number;
  readonly rank: number;
  readonly forwardMs: number;
  readonly backwardMs: number;
  readonly boundMs: number;
  readonly totalMs: number;
  readonly solvingMs: number;
  /** In collectives, waiting included. */
  readonly communicationMs: number;
  readonly lpSolves: number;
  readonly forwardPasses: number;
}

/** What all ranks measured, on every rank. */
export interface SharedMeasurements {
  /** By iteration, then rank. */
  readonly times: readonly IterationTimes[];
  /** Of all ranks together, by iteration. */
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
  "lpSolves",
  "forwardPasses",
] as const satisfies readonly (keyof IterationTimes)[];

/** Collects what a rank tells while it trains and simulates. Times are of this run: those before it was resumed are not known. */
export class Measurements {
  /** How the numbers of the programs are spread. */
  ranges: readonly CoefficientRanges[] = [];
  /** What this rank solved in the simulation. */
  simulationSolves: readonly StageSolves[] = [];
  private readonly rank: number;
  private readonly times: IterationTimes[] = [];
  private readonly solves: (readonly StageSolves[])[] = [];
  private boundMs = 0;

  constructor(rank: number) {
    this.rank = rank;
  }

  readonly onEvent = (event: SddpEvent): void => {
    if (event.type === "programs_built") this.ranges = event.ranges;
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
      lpSolves: solves.reduce((sum, stage) => sum + stage.solves, 0),
      forwardPasses: forward[0]?.solves ?? 0, // each pass is solved once in every stage
    });
    this.solves.push(solves);
  };

  /** Collective: brings together what the ranks measured. */
  share(comm: Communicator, stages: number, attempts: number): SharedMeasurements {
    const { times } = this;
    const sums = sumSolves(comm, this.solves, stages, attempts);
    return {
      times: gatherTimes(comm, times),
      solves: times.map(({ iteration }, i) => ({ iteration, solves: sums[i] })),
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
