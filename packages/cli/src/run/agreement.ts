import type { Communicator } from "@cobre/comm";

/** A rank has failed and has told why: nobody has anything to add. */
export class FailedElsewhere extends Error {
  override readonly name = "FailedElsewhere";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("a rank has failed");
    this.exitCode = exitCode;
  }
}

/** Tells the user what went wrong and returns the exit code. */
export type Report = (error: unknown) => number;

/**
 * Collective: ends in the same way on all ranks what failed on some of them. The lowest of these tells why and rank 0 cleans up, before
 * anybody ends: a rank that has ended with an error takes the others with it.
 */
export function agreeOnSuccess(
  comm: Communicator,
  failure: unknown,
  report: Report,
  cleanUp: () => void,
): void {
  const lowest = new Int32Array(1);
  // The largest number is that of the lowest rank.
  comm.allreduce(Int32Array.of(failure === undefined ? 0 : comm.size - comm.rank), lowest, "max");
  if (lowest[0] === 0) return;
  const teller = comm.size - lowest[0];
  const exitCode = Int32Array.of(comm.rank === teller ? report(failure) : 0);
  if (comm.rank === 0) cleanUp();
  comm.broadcast(exitCode, teller);
  comm.barrier();
  throw new FailedElsewhere(exitCode[0]);
}

/**
 * Collective: rank 0 does something that can fail, and gives its bytes to everybody. If it fails, it tells why, and all ranks end
 * alike.
 */
export function onFirstRank(
  comm: Communicator,
  action: () => Uint8Array | undefined,
  report: Report,
): Uint8Array | undefined {
  let bytes: Uint8Array | undefined;
  const told = new Int32Array(2); // exit code, and whether there are bytes
  const length = new Float64Array(1);
  if (comm.rank === 0) {
    try {
      bytes = action();
      told[1] = bytes === undefined ? 0 : 1;
      length[0] = bytes?.length ?? 0;
    } catch (error) {
      told[0] = report(error); // before the others know, and end
    }
  }
  comm.broadcast(told, 0);
  if (told[0] !== 0) throw new FailedElsewhere(told[0]);
  if (told[1] === 0) return undefined;
  comm.broadcast(length, 0);
  const everybody = bytes ?? new Uint8Array(length[0]);
  comm.broadcast(everybody, 0);
  return everybody;
}
