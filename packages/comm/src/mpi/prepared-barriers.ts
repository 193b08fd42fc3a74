/**
 * Barriers that are prepared once for each communicator and then only started (persistent collectives of MPI-4).
 *
 * MPICH takes half as long for them as for `MPI_Barrier`. Open MPI gains nothing, and other collectives would have to be prepared for the
 * caller's arrays, which change; docs/mpi.md has the figures. So this is all that is used of them, and with MPICH alone.
 */
import type { Koffi } from "../ffi/koffi.js";
import type { MpiLibrary } from "../ffi/mpi-library.js";
import type {
  Address,
  Collectives,
  ErrorCode,
  Handle,
  MpiConstants,
  PersistentBindings,
} from "./bindings.js";
import { type Fixed, fixedInts } from "./fixed-memory.js";
import type { Farewell, MpiRuntime } from "./runtime.js";

/** The blocking collectives, with prepared barriers where they are faster. All ranks have the same library, and so the same form. */
export function blockingCollectives(koffi: Koffi, runtime: MpiRuntime): Collectives {
  const { mpi, constants, library } = runtime;
  if (mpi.persistent === undefined || !isMpich(library)) return mpi.blocking;
  const barriers = new PreparedBarriers(koffi, mpi.persistent, constants);
  runtime.farewells.add(barriers);
  return { ...mpi.blocking, barrier: (comm) => barriers.meet(comm) };
}

/** MPICH itself: what its descendants gain has not been measured. */
function isMpich({ version }: Pick<MpiLibrary, "version">): boolean {
  return version.startsWith("MPICH Version");
}

class PreparedBarriers implements Farewell {
  private readonly koffi: Koffi;
  private readonly mpi: PersistentBindings;
  private readonly infoNull: Handle;
  private readonly statusIgnore: Address;
  private readonly requests = new Map<Handle, Fixed<Int32Array>>();

  constructor(koffi: Koffi, mpi: PersistentBindings, { infoNull, statusIgnore }: MpiConstants) {
    this.koffi = koffi;
    this.mpi = mpi;
    this.infoNull = infoNull;
    this.statusIgnore = statusIgnore;
  }

  /** Collective, also in that all ranks prepare the barrier when they first meet. */
  meet(comm: Handle): ErrorCode {
    let request = this.requests.get(comm);
    if (request === undefined) {
      request = fixedInts(this.koffi, 2);
      const code = this.mpi.barrierInit(comm, this.infoNull, request.address);
      if (code !== 0) return code;
      this.requests.set(comm, request);
    }
    const code = this.mpi.start(request.address);
    return code === 0 ? this.mpi.wait(request.address, this.statusIgnore) : code;
  }

  beforeFinalize(): void {
    for (const { address } of this.requests.values()) this.mpi.requestFree(address);
    this.requests.clear();
  }
}
