/**
 * Barriers that are prepared once for each communicator and then only started (persistent collectives of MPI-4).
 *
 * MPICH takes half as long for them as for `MPI_Barrier`. Open MPI gains nothing, and other collectives would have to be prepared for the
 * caller's arrays, which change; docs/mpi.md has the figures. So this is all that is used of them, and with MPICH alone.
 */
import type { Koffi } from "../ffi/koffi.js";
import type { MpiLibrary } from "../ffi/mpi-library.js";
import type { Collectives, ErrorCode, Handle, PersistentBindings } from "./bindings.js";
import { type Fixed, fixedInts } from "./fixed-memory.js";
import type { Farewell, MpiRuntime } from "./runtime.js";

/** The blocking collectives, with prepared barriers where they are faster. All ranks have the same library, and so the same form. */
export function blockingCollectives(koffi: Koffi, runtime: MpiRuntime): Collectives {
  const { mpi, library } = runtime;
  if (mpi.persistent === undefined || !isMpich(library)) return mpi.blocking;
  const barriers = new PreparedBarriers(koffi, runtime, mpi.persistent);
  runtime.farewells.add(barriers);
  return { ...mpi.blocking, barrier: (comm) => barriers.meet(comm) };
}

/** MPICH itself: what its descendants gain has not been measured. */
function isMpich({ version }: Pick<MpiLibrary, "version">): boolean {
  return version.startsWith("MPICH Version");
}

class PreparedBarriers implements Farewell {
  private readonly koffi: Koffi;
  private readonly runtime: MpiRuntime;
  private readonly mpi: PersistentBindings;
  private readonly requests = new Map<Handle, Fixed<Int32Array>>();

  constructor(koffi: Koffi, runtime: MpiRuntime, mpi: PersistentBindings) {
    this.koffi = koffi;
    this.runtime = runtime;
    this.mpi = mpi;
  }

  /** Collective, also in that all ranks prepare the barrier when they first meet. */
  meet(comm: Handle): ErrorCode {
    const { infoNull, statusIgnore } = this.runtime.constants;
    let request = this.requests.get(comm);
    if (request === undefined) {
      request = fixedInts(this.koffi, 2);
      const code = this.mpi.barrierInit(comm, infoNull, request.address);
      if (code !== 0) return code;
      this.requests.set(comm, request);
    }
    const code = this.mpi.start(request.address);
    return code === 0 ? this.mpi.wait(request.address, statusIgnore) : code;
  }

  beforeFinalize(): void {
    // One that has failed may still be under way, and must then not be freed.
    if (this.runtime.hasFailed) return;
    for (const { address } of this.requests.values()) this.mpi.requestFree(address);
    this.requests.clear();
  }
}
