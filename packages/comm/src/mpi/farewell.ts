import { CALLS } from "../group/fingerprint.js";
import type { ErrorCode } from "./bindings.js";
import type { MpiGroup } from "./group.js";
import type { PolledCall } from "./polling.js";
import { type Farewell, tell } from "./runtime.js";

/** A rank that finishes early waits for the others without keeping a core busy. */
const LONGEST_NAP_MS = 10;

/** After this time, one line says why a process that has finished is still there. */
const WARNING_MS = 30_000;

/**
 * The last meeting, before `MPI_Finalize`. Ranks would wait for each other there anyway, but
 * spinning. If calls are compared, this finds a rank that ends while others still make calls.
 */
export class LastMeeting implements Farewell {
  private readonly group: MpiGroup;
  private readonly polled: PolledCall;

  constructor(group: MpiGroup, polled: PolledCall) {
    this.group = group;
    this.polled = polled;
  }

  beforeFinalize(): void {
    const { group } = this;
    const { nonblocking } = group.job.runtime.mpi;
    // Broken: all ranks have found the same mismatch. Failed: the library can no longer be trusted.
    if (group.size === 1 || group.isBroken || group.job.runtime.hasFailed) return;
    if (group.job.check) this.compareEndings();
    else this.await(nonblocking.barrier(group.comm, this.polled.request.address));
  }

  /**
   * Uses the same form as the other calls, because a blocking call and a nonblocking one do not
   * match.
   */
  private compareEndings(): void {
    try {
      this.group.open(CALLS.close, 0);
    } catch {
      // The other ranks throw too, and they are the ones that still have work to do.
    }
  }

  private await(started: ErrorCode): void {
    const { polled, group } = this;
    const clock = new Int32Array(new SharedArrayBuffer(4));
    const start = performance.now();
    let code = started;
    let hasWarned = false;
    for (let nap = 0.01; code === 0; nap = Math.min(2 * nap, LONGEST_NAP_MS)) {
      code = polled.test();
      if (polled.isDone) break;
      Atomics.wait(clock, 0, 0, nap);
      if (hasWarned || performance.now() - start < WARNING_MS) continue;
      hasWarned = true;
      tell(
        `cobre: rank ${group.rank} has finished and has waited 30 s for the other ranks to finish.`,
      );
    }
    if (code !== 0) group.job.runtime.hasFailed = true;
  }
}
