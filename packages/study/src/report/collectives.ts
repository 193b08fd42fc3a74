import type { COLLECTIVES, TableColumns } from "@cobre/io";
import type { Run } from "../results/run.js";

/** What a rank called of one collective. */
export interface CollectiveCalls {
  readonly phase: "training" | "simulation";
  readonly rank: number;
  readonly collective: string;
  readonly calls: number;
  /** What this rank contributed; of a broadcast, the length of the array. */
  readonly bytes: number;
  /** Milliseconds in these calls. */
  readonly ms: number;
  /** Of these, waiting for other ranks; `null` over MPI, which does not tell. */
  readonly waiting_ms: number | null;
}

/** Of each phase, by rank. Empty if the run did not measure them; collectives that were not called are left out. */
export async function readCollectives({ training, simulation }: Run): Promise<CollectiveCalls[]> {
  return [
    ...(training ? callsOf("training", await training.collectives()) : []),
    ...(simulation ? callsOf("simulation", await simulation.collectives()) : []),
  ];
}

function callsOf(
  phase: CollectiveCalls["phase"],
  { columns }: TableColumns<typeof COLLECTIVES>,
): CollectiveCalls[] {
  return columns.collective
    .map((collective, row): CollectiveCalls => {
      const waiting = columns.waiting_ms[row] as number;
      return {
        phase,
        rank: columns.rank[row] as number,
        collective,
        calls: columns.calls[row] as number,
        bytes: columns.bytes[row] as number,
        ms: columns.time_ms[row] as number,
        waiting_ms: Number.isNaN(waiting) ? null : waiting,
      };
    })
    .filter(({ calls }) => calls > 0);
}
