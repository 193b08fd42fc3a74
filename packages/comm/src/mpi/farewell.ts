import { CALLS } from "../group/fingerprint.js";
import type { ErrorCode } from "./bindings.js";
import type { MpiGroup } from "./group.js";
import type { Patience } from "./patience.js";
import { type Farewell, tell } from "./runtime.js";

/** A rank that ends early waits for the others without keeping a core busy. */
const LONGEST_NAP_MS = 10;

/** After this long one line says why a process that has done its work is still there. */
const WARNING_MS = 30_000;

/**
 * The last meeting, before `MPI_Finalize`, in which ranks would wait for each other anyway, but
 * spinning. If calls are compared, a rank that ends while others still call something is found here.
 */
export class LastMeeting implements Farewell {
  private readonly group: MpiGroup;
  private readonly patience: Patience;

  constructor(group: MpiGroup, patience: Patience) {
    this.group = group;
    this.patience = patience;
  }

  beforeFinalize(): void {
    const { group } = this;
    const { nonblocking } = group.shared.runtime.mpi;
    // All ranks have found the same mismatch, or the library is not to be trusted any more.
    if (group.size === 1 || group.isBroken || group.shared.runtime.hasFailed) return;
    if (group.shared.check) this.compareEndings();
    else this.await(nonblocking.barrier(group.comm, this.patience.request.address));
  }

  /** In the form of the other calls: a blocking one and one that is waited for do not meet. */
  private compareEndings(): void {
    try {
      this.group.open(CALLS.close, 0);
    } catch {
      // The others are told, too, and they are the ones who still have something to do.
    }
  }

  private await(started: ErrorCode): void {
    const { patience, group } = this;
    const clock = new Int32Array(new SharedArrayBuffer(4));
    const start = performance.now();
    let code = started;
    let hasWarned = false;
    for (let nap = 0.01; code === 0; nap = Math.min(2 * nap, LONGEST_NAP_MS)) {
      code = patience.test();
      if (patience.isDone) break;
      Atomics.wait(clock, 0, 0, nap);
      if (hasWarned || performance.now() - start < WARNING_MS) continue;
      hasWarned = true;
      tell(`cobre: rank ${group.rank} has ended and has waited 30 s for the others to do so, too.`);
    }
    if (code !== 0) group.shared.runtime.hasFailed = true;
  }
}
