import { availableParallelism } from "node:os";
import {
  type ArrayType,
  arrayTypeOfConstructor,
  type CommArray,
  type CommArrayConstructor,
  copyElements,
  type ReduceOp,
} from "../arrays.js";
import { CallChecks } from "../checks/calls.js";
import { checkRegionRequest } from "../checks/region.js";
import type { Communicator, SharedMemoryProvider } from "../communicator.js";
import { InitializationFailed } from "../errors/backend-error.js";
import { Sockets } from "../ffi/sockets.js";
import { SystemCallError } from "../ffi/system-call-error.js";
import { forget, remember } from "../group/farewell.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { LocalCommunicator } from "../local/communicator.js";
import { HeapRegion } from "../local/heap-region.js";
import { allgatherv } from "./allgatherv.js";
import { allreduce } from "./allreduce.js";
import { meet } from "./barrier.js";
import { broadcast } from "./broadcast.js";
import { type CompleteTcpConfig, configFromProgram, type TcpConfig } from "./config.js";
import { gatherWorkers } from "./gathering.js";
import { Group } from "./group.js";
import type { Joined } from "./joined.js";
import { joinCoordinator } from "./joining.js";
import { Membership } from "./membership.js";
import { Operands } from "./operands.js";
import { ShortMessages } from "./short.js";
import { patienceFor, Waiting } from "./waiting.js";

/**
 * A group of processes, on one machine or many, that are connected by sockets. docs/wire-protocol.md
 * tells how.
 *
 * @example
 * ```ts
 * import { TcpCommunicator } from "@cobre/comm/tcp";
 *
 * using comm = await TcpCommunicator.join({ rank: 1, size: 2, coordinator: "node1", token });
 * comm.barrier();
 * ```
 */
export class TcpCommunicator implements Communicator, SharedMemoryProvider {
  readonly backend = "tcp";
  readonly rank: number;
  readonly size: number;
  /** Ranks share no memory: each is its own leader. */
  readonly isLeader = true;

  private readonly membership: Membership;
  private readonly group: Group;
  private readonly messages: ShortMessages;
  private readonly operands: Operands;
  private readonly checks: CallChecks;

  /** Joins the group and waits until everybody has. */
  static async join(config: TcpConfig): Promise<TcpCommunicator> {
    const complete = configFromProgram(config);
    const sockets = await Sockets.load();
    try {
      const joined =
        complete.rank === 0
          ? await gatherWorkers(sockets, complete)
          : await joinCoordinator(sockets, complete);
      return new TcpCommunicator(sockets, complete, joined);
    } catch (error) {
      if (!(error instanceof SystemCallError)) throw error;
      throw new InitializationFailed("tcp", error.message, { cause: error });
    }
  }

  private constructor(sockets: Sockets, config: CompleteTcpConfig, joined: Joined) {
    const { rank, size, timeoutSecs } = config;
    const { star, mesh = [], localRanks } = joined;
    this.rank = rank;
    this.size = size;
    this.checks = new CallChecks(rank, size);
    this.membership = new Membership(rank, star, mesh, sockets);
    const isCrowded = localRanks > availableParallelism();
    if (isCrowded) for (const link of this.membership.links) sockets.deepen(link.fd);
    const patience = patienceFor(isCrowded);
    const waiting = new Waiting(sockets, this.membership, patience, timeoutSecs * 1000);
    this.group = new Group(sockets, this.membership, waiting, joined);
    this.messages = new ShortMessages(this.group);
    this.operands = new Operands(sockets, rank, size);
    remember(this.membership);
  }

  allgatherv<T extends CommArray>(
    send: T,
    recv: T,
    counts: ArrayLike<number>,
    displs: ArrayLike<number>,
  ): void {
    if (!this.membership.isOpen) throw this.membership.unusable("allgatherv");
    const type = this.checks.allgatherv(send, recv, counts, displs);
    if (this.size === 1) copyElements(send, recv, displs[0] as number);
    else allgatherv(this.group, this.messages, send, recv, type, counts, displs);
  }

  allreduce<T extends CommArray>(send: T, recv: T, op: ReduceOp): void {
    if (!this.membership.isOpen) throw this.membership.unusable("allreduce");
    const type = this.checks.allreduce(send, recv, op);
    if (this.size === 1) copyElements(send, recv, 0);
    else allreduce(this.group, this.messages, this.operands, { send, recv, type, op });
  }

  broadcast<T extends CommArray>(buf: T, root: number): void {
    if (!this.membership.isOpen) throw this.membership.unusable("broadcast");
    const type = this.checks.broadcast(buf, root);
    if (this.size > 1) broadcast(this.group, this.messages, buf, type, root);
  }

  barrier(): void {
    if (!this.membership.isOpen) throw this.membership.unusable("barrier");
    this.meet(CALLS.barrier, 0);
  }

  /** Memory of this process alone. Ranks meet, so that a mismatch is found here as elsewhere. */
  createSharedRegion<T extends CommArray>(
    type: CommArrayConstructor<T>,
    count: number,
  ): HeapRegion<T> {
    if (!this.membership.isOpen) throw this.membership.unusable("createSharedRegion");
    checkRegionRequest(type, count);
    const { code } = arrayTypeOfConstructor(type) as ArrayType;
    this.meet(encodeCall(CALLS.createSharedRegion, code, 0, 0), count);
    return new HeapRegion(type, count);
  }

  /** This rank alone: no other shares its memory. */
  splitLocal(): LocalCommunicator {
    if (!this.membership.isOpen) throw this.membership.unusable("splitLocal");
    this.meet(CALLS.splitLocal, 0);
    return new LocalCommunicator();
  }

  close(): void {
    this.membership.close();
    forget(this.membership);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  private meet(call: number, length: number): void {
    if (this.size === 1) return;
    this.group.open(call, length);
    meet(this.group, this.messages);
  }
}
