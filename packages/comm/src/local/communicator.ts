import {
  type CommArray,
  type CommArrayConstructor,
  copyElements,
  type ReduceOp,
} from "../arrays.js";
import { CallChecks } from "../checks/calls.js";
import type {
  CommDescription,
  CommStatistics,
  Communicator,
  SharedMemoryProvider,
  SharedRegion,
} from "../communicator.js";
import { InvalidCommunicator } from "../errors/comm-error.js";
import { Meter } from "../group/meter.js";
import { HeapRegion } from "../memory/heap-region.js";

/**
 * A group of one process. Its collectives only copy, or do nothing, but they check their arguments like
 * those of every other backend: a mistake shows up here as it would on a cluster.
 */
export class LocalCommunicator implements Communicator, SharedMemoryProvider {
  readonly backend = "local";
  readonly rank = 0;
  readonly size = 1;
  readonly isLeader = true;

  private readonly checks = new CallChecks(0, 1);
  private readonly meter = Meter.start(this);
  private closed = false;

  allgatherv<T extends CommArray>(
    send: T,
    recv: T,
    counts: ArrayLike<number>,
    displs: ArrayLike<number>,
  ): void {
    if (this.closed) throw new InvalidCommunicator("allgatherv", "closed");
    this.checks.allgatherv(send, recv, counts, displs);
    copyElements(send, 0, recv, displs[0] as number, send.length);
  }

  allreduce<T extends CommArray>(send: T, recv: T, op: ReduceOp): void {
    if (this.closed) throw new InvalidCommunicator("allreduce", "closed");
    this.checks.allreduce(send, recv, op);
    copyElements(send, 0, recv, 0, send.length);
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
  ): SharedRegion<T> {
    if (this.closed) throw new InvalidCommunicator("createSharedRegion", "closed");
    return new HeapRegion(type, count);
  }

  splitLocal(): LocalCommunicator {
    if (this.closed) throw new InvalidCommunicator("splitLocal", "closed");
    return new LocalCommunicator();
  }

  describe(): CommDescription {
    return { backend: "local", rank: 0, size: 1, machines: [[0]], paths: {} };
  }

  statistics(): CommStatistics | undefined {
    return this.meter?.statistics();
  }

  close(): void {
    if (!this.closed) this.meter?.report(0);
    this.closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
