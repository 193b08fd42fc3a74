import {
  type CommArray,
  type CommArrayConstructor,
  copyElements,
  type ReduceOp,
} from "../arrays.js";
import { CallChecks } from "../checks/calls.js";
import type { Communicator, SharedMemoryProvider } from "../communicator.js";
import { InvalidCommunicator } from "../errors/comm-error.js";
import { HeapRegion } from "./heap-region.js";

/**
 * A group of one. Its collectives are copies or nothing at all, but they check their arguments as
 * every backend does: a mistake found here is the mistake found on a cluster.
 */
export class LocalCommunicator implements Communicator, SharedMemoryProvider {
  readonly backend = "local";
  readonly rank = 0;
  readonly size = 1;
  readonly isLeader = true;

  private readonly checks = new CallChecks(0, 1);
  private closed = false;

  allgatherv<T extends CommArray>(
    send: T,
    recv: T,
    counts: ArrayLike<number>,
    displs: ArrayLike<number>,
  ): void {
    if (this.closed) throw new InvalidCommunicator("allgatherv", "closed");
    this.checks.allgatherv(send, recv, counts, displs);
    copyElements(send, recv, displs[0] as number);
  }

  allreduce<T extends CommArray>(send: T, recv: T, op: ReduceOp): void {
    if (this.closed) throw new InvalidCommunicator("allreduce", "closed");
    this.checks.allreduce(send, recv, op);
    copyElements(send, recv, 0);
  }

  broadcast<T extends CommArray>(buf: T, root: number): void {
    if (this.closed) throw new InvalidCommunicator("broadcast", "closed");
    this.checks.broadcast(buf, root);
  }

  barrier(): void {
    if (this.closed) throw new InvalidCommunicator("barrier", "closed");
  }

  createSharedRegion<T extends CommArray>(
    type: CommArrayConstructor<T>,
    count: number,
  ): HeapRegion<T> {
    if (this.closed) throw new InvalidCommunicator("createSharedRegion", "closed");
    return new HeapRegion(type, count);
  }

  splitLocal(): LocalCommunicator {
    if (this.closed) throw new InvalidCommunicator("splitLocal", "closed");
    return new LocalCommunicator();
  }

  close(): void {
    this.closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
