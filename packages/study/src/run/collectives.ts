import type { Collective, CommStatistics, Communicator } from "@cobre/comm";
import type { COLLECTIVES, TableRow } from "@cobre/io";

const NAMES = [
  "allgatherv",
  "allreduce",
  "broadcast",
  "barrier",
  "fence",
] as const satisfies readonly Collective[];
const FIELDS = ["calls", "bytes", "ms", "waitingMs"] as const;
const WIDTH = NAMES.length * FIELDS.length;

/** What this rank called in a part of a run, if its communicator measures that. */
export class CollectiveCounts {
  private readonly comm: Communicator;
  private readonly before: Float64Array;

  /** Begins to count. */
  constructor(comm: Communicator) {
    this.comm = comm;
    this.before = numbersOf(comm.statistics());
  }

  /** Collective: ends the part, and gives every rank the counts of all ranks. Ranks that measured nothing have no rows. */
  share(): TableRow<typeof COLLECTIVES>[] {
    const { comm, before } = this;
    const mine = numbersOf(comm.statistics()).map((now, i) => now - (before[i] as number));
    const ranks = Array.from({ length: comm.size }, (_, rank) => rank);
    const all = new Float64Array(comm.size * WIDTH);
    comm.allgatherv(
      mine,
      all,
      ranks.map(() => WIDTH),
      ranks.map((rank) => rank * WIDTH),
    );
    return ranks.flatMap((rank) =>
      NAMES.flatMap((collective, c) => {
        const at = rank * WIDTH + c * FIELDS.length;
        const [calls, bytes, ms, waitingMs] = all.subarray(at, at + FIELDS.length);
        if (calls === undefined || Number.isNaN(calls)) return [];
        return [
          {
            rank,
            collective,
            calls,
            bytes: bytes as number,
            time_ms: ms as number,
            waiting_ms: Number.isNaN(waitingMs) ? null : (waitingMs as number),
          },
        ];
      }),
    );
  }
}

/** In the order of the names and fields; NaN for what is not measured. */
function numbersOf(statistics: CommStatistics | undefined): Float64Array {
  return Float64Array.from(
    NAMES.flatMap((name) => FIELDS.map((field) => statistics?.[name][field] ?? Number.NaN)),
  );
}
