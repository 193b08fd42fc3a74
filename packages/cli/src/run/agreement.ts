import type { Communicator } from "@cobre/comm";

/** Another rank has failed and told why; this one has nothing to add. */
export class FailedElsewhere extends Error {
  override readonly name = "FailedElsewhere";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("another rank has failed");
    this.exitCode = exitCode;
  }
}

/**
 * Collective: ends in the same way on all ranks what failed on some of them. The lowest of these tells why, the others throw
 * {@link FailedElsewhere}.
 */
export function agreeOnSuccess(
  comm: Communicator,
  failure: unknown,
  exitCodeOf: (error: unknown) => number,
): void {
  const hasFailed = failure !== undefined;
  const told = new Int32Array(2);
  // The largest number is that of the lowest rank.
  comm.allreduce(
    Int32Array.of(hasFailed ? comm.size - comm.rank : 0, hasFailed ? exitCodeOf(failure) : 0),
    told,
    "max",
  );
  if (told[0] === 0) return;
  if (comm.size - comm.rank === told[0]) throw failure;
  throw new FailedElsewhere(told[1]);
}

/**
 * Collective: rank 0 does something that can fail, and gives its bytes to everybody. If it fails, all ranks end alike and only rank 0
 * tells.
 */
export function onFirstRank(
  comm: Communicator,
  action: () => Uint8Array | undefined,
  exitCodeOf: (error: unknown) => number,
): Uint8Array | undefined {
  let bytes: Uint8Array | undefined;
  let failure: unknown;
  const told = new Int32Array(2); // exit code, and whether there are bytes
  const length = new Float64Array(1);
  if (comm.rank === 0) {
    try {
      bytes = action();
      told[1] = bytes === undefined ? 0 : 1;
      length[0] = bytes?.length ?? 0;
    } catch (error) {
      failure = error;
      told[0] = exitCodeOf(error);
    }
  }
  comm.broadcast(told, 0);
  if (told[0] !== 0) {
    if (comm.rank === 0) throw failure;
    throw new FailedElsewhere(told[0]);
  }
  if (told[1] === 0) return undefined;
  comm.broadcast(length, 0);
  const everybody = bytes ?? new Uint8Array(length[0]);
  comm.broadcast(everybody, 0);
  return everybody;
}
