/**
 * Collectives that wait patiently: started without blocking, then tested again and again, with the
 * processor given to somebody else in between.
 *
 * A library that spins in its blocking calls needs a core per rank. With four ranks on two cores a
 * barrier of MPICH 4.0 takes the scheduler's time slices, 8 ms; waited for like this, 20 µs.
 */
import type { Koffi } from "../ffi/koffi.js";
import type { Collectives, ErrorCode, MpiBindings, MpiConstants } from "./bindings.js";
import { type Fixed, fixedInts, pin } from "./fixed-memory.js";

/** A started collective: there is one at a time. */
export class Patience {
  /** Where the library writes the request. */
  readonly request: Fixed<Int32Array>;
  private readonly flag: Fixed<Int32Array>;
  private readonly mpi: MpiBindings;
  private readonly statusIgnore: bigint;
  private readonly yieldProcessor: () => number;

  constructor(koffi: Koffi, mpi: MpiBindings, constants: MpiConstants) {
    this.request = fixedInts(koffi, 2);
    this.flag = fixedInts(koffi, 1);
    this.mpi = mpi;
    this.statusIgnore = constants.statusIgnore;
    // int sched_yield(void)
    this.yieldProcessor = koffi.load(null).func("int sched_yield()");
  }

  /** Waits for what was started, if it was. */
  await(started: ErrorCode): ErrorCode {
    let code = started;
    while (code === 0) {
      code = this.test();
      if (this.isDone) return code;
      this.yieldProcessor();
    }
    return code;
  }

  /** Looks once; {@link isDone} then tells. */
  test(): ErrorCode {
    return this.mpi.test(this.request.address, this.flag.address, this.statusIgnore);
  }

  get isDone(): boolean {
    return this.flag.array[0] !== 0;
  }
}

/** The collectives of `mpi` in their patient form. All ranks must use the same form. */
export function patientCollectives(mpi: MpiBindings, patience: Patience): Collectives {
  const { nonblocking } = mpi;
  const { address } = patience.request;
  return {
    barrier: (comm) => patience.await(nonblocking.barrier(comm, address)),
    broadcast: (buf, count, type, root, comm) => {
      pin(buf);
      return patience.await(nonblocking.broadcast(buf, count, type, root, comm, address));
    },
    allgather: (send, count, type, recv, recvCount, recvType, comm) => {
      pin(send);
      return patience.await(
        nonblocking.allgather(send, count, type, recv, recvCount, recvType, comm, address),
      );
    },
    allgatherv: (send, count, type, recv, counts, displs, recvType, comm) => {
      pin(send);
      pin(recv);
      return patience.await(
        nonblocking.allgatherv(send, count, type, recv, counts, displs, recvType, comm, address),
      );
    },
    alltoallv: (send, counts, displs, type, recv, recvCounts, recvDispls, recvType, comm) => {
      pin(send);
      return patience.await(
        nonblocking.alltoallv(
          send,
          counts,
          displs,
          type,
          recv,
          recvCounts,
          recvDispls,
          recvType,
          comm,
          address,
        ),
      );
    },
    allreduce: (send, recv, count, type, op, comm) => {
      pin(send);
      pin(recv);
      return patience.await(nonblocking.allreduce(send, recv, count, type, op, comm, address));
    },
  };
}
