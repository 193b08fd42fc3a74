import type { Communicator } from "@cobre/comm";

/** Another rank has failed and has reported why. */
export class FailedElsewhere extends Error {
  override readonly name = "FailedElsewhere";
  /** What `onFailure` returned on the rank that failed. */
  readonly code: number;

  constructor(code: number) {
    super("another rank has failed and has reported why");
    this.code = code;
  }
}

/** Reports an error and returns a code, not 0, for the other ranks. */
export type OnFailure = (error: unknown) => number;

/**
 * Collective: if some ranks failed, ends all ranks. The lowest failed rank reports why and rank 0 cleans up before any rank ends, because
 * a rank that ends with an error takes the others with it. That rank throws its error, the others {@link FailedElsewhere}.
 */
export function agreeOnSuccess(
  comm: Communicator,
  failure: unknown,
  onFailure: OnFailure,
  cleanUp: () => void,
): void {
  const largest = new Int32Array(1);
  // The largest number is that of the lowest rank.
  comm.allreduce(Int32Array.of(failure === undefined ? 0 : comm.size - comm.rank), largest, "max");
  const [agreed = 0] = largest;
  if (agreed === 0) return;
  const teller = comm.size - agreed;
  const code = Int32Array.of(comm.rank === teller ? onFailure(failure) : 0);
  if (comm.rank === 0) cleanUp();
  comm.broadcast(code, teller);
  comm.barrier();
  throw comm.rank === teller ? failure : new FailedElsewhere(code[0] as number);
}

/**
 * Collective: rank 0 performs an action that can fail, and its bytes are broadcast to all ranks. If the action fails, rank 0 reports
 * why and throws; the others throw {@link FailedElsewhere}.
 */
export function onFirstRank(
  comm: Communicator,
  action: () => Uint8Array | undefined,
  onFailure: OnFailure,
): Uint8Array | undefined {
  let bytes: Uint8Array | undefined;
  let failure: unknown;
  const told = new Int32Array(2); // the code of a failure, and whether there are bytes
  const length = new Float64Array(1);
  if (comm.rank === 0) {
    try {
      bytes = action();
      told[1] = bytes === undefined ? 0 : 1;
      length[0] = bytes?.length ?? 0;
    } catch (error) {
      failure = error;
      told[0] = onFailure(error) || 1; // before the other ranks learn of it and end
    }
  }
  comm.broadcast(told, 0);
  const [code = 0, hasBytes = 0] = told;
  if (code !== 0) throw comm.rank === 0 ? failure : new FailedElsewhere(code);
  if (hasBytes === 0) return undefined;
  comm.broadcast(length, 0);
  const everybody = bytes ?? new Uint8Array(length[0] as number);
  comm.broadcast(everybody, 0);
  return everybody;
}
