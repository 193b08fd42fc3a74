/**
 * Polled collectives: started without blocking, then tested repeatedly. Between tests, the core is
 * yielded to other processes.
 *
 * A library that spins in its blocking calls needs a core per rank. With four ranks on two cores, a
 * barrier of MPICH 4.0 takes 8 ms, the time slices of the scheduler. Polled, it takes 20 µs.
 */
import { pin } from "../ffi/address.js";
import type { Koffi } from "../ffi/koffi.js";
import type { Collectives, ErrorCode, Memory, MpiBindings, MpiConstants } from "./bindings.js";
import { type Fixed, fixedInts } from "./fixed-memory.js";

/** The collective in progress. There is one at a time. */
export class PolledCall {
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

  /** Waits for the collective, unless starting it failed. */
  await(started: ErrorCode): ErrorCode {
    let code = started;
    while (code === 0) {
      code = this.test();
      if (this.isDone) return code;
      this.yieldProcessor();
    }
    return code;
  }

  /** Tests once and sets {@link isDone}. */
  test(): ErrorCode {
    return this.mpi.test(this.request.address, this.flag.address, this.statusIgnore);
  }

  get isDone(): boolean {
    return this.flag.array[0] !== 0;
  }
}

/**
 * The collectives of `mpi`, polled. All ranks must use the same form: a blocking call and a
 * nonblocking one do not match.
 */
export function polledCollectives(mpi: MpiBindings, polled: PolledCall): Collectives {
  const { nonblocking } = mpi;
  const { address } = polled.request;
  return {
    barrier: (comm) => polled.await(nonblocking.barrier(comm, address)),
    broadcast: (buf, count, type, root, comm) => {
      pinMemory(buf);
      return polled.await(nonblocking.broadcast(buf, count, type, root, comm, address));
    },
    allgather: (send, count, type, recv, recvCount, recvType, comm) => {
      pinMemory(send);
      return polled.await(
        nonblocking.allgather(send, count, type, recv, recvCount, recvType, comm, address),
      );
    },
    allgatherv: (send, count, type, recv, counts, displs, recvType, comm) => {
      pinMemory(send);
      pinMemory(recv);
      return polled.await(
        nonblocking.allgatherv(send, count, type, recv, counts, displs, recvType, comm, address),
      );
    },
    alltoallv: (send, counts, displs, type, recv, recvCounts, recvDispls, recvType, comm) => {
      pinMemory(send);
      return polled.await(
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
      pinMemory(send);
      pinMemory(recv);
      return polled.await(nonblocking.allreduce(send, recv, count, type, op, comm, address));
    },
  };
}

/** The library keeps the address after the call that received it. */
function pinMemory(memory: Memory): void {
  if (typeof memory !== "bigint") pin(memory);
}
