import { closeSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { ArrayType, CommArray, CommArrayConstructor, ReduceOp } from "../arrays.js";
import { arrayTypeOfConstructor } from "../arrays.js";
import { CallChecks } from "../checks/calls.js";
import { checkRegionRequest } from "../checks/region.js";
import type { Communicator, SharedMemoryProvider } from "../communicator.js";
import { InitializationFailed } from "../errors/backend-error.js";
import { CollectiveFailed } from "../errors/comm-error.js";
import { loadSystem } from "../ffi/load-system.js";
import type { SharedMemorySystem } from "../ffi/shared-memory-system.js";
import { forget, remember } from "../group/farewell.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { allgatherv } from "./allgatherv.js";
import { allreduce } from "./allreduce.js";
import { barrier } from "./barrier.js";
import { broadcast } from "./broadcast.js";
import { configFromProgram, type ShmConfig } from "./config.js";
import { canReadAll, Direct, directMinBytes } from "./direct.js";
import { copyElements, Group } from "./group.js";
import { initializeLines, joinGroup } from "./join.js";
import { Layout, SCRATCH_BYTES } from "./layout.js";
import { type Liveness, Membership } from "./membership.js";
import { Records } from "./records.js";
import { ShmRegion } from "./region.js";
import { haveAll, shareMemory } from "./share-memory.js";
import type { SharedMemory } from "./shared-memory.js";
import { patienceFor, Waiting } from "./waiting.js";

/** What a communicator and those that were split from it have in common. */
interface Base {
  readonly system: SharedMemorySystem;
  /** The descriptor of the segment: its locks tell the others that this process lives. */
  readonly fd: number;
  readonly timeoutSecs: number;
  /** Whether an announcement needs a fence: not on x64, where stores become visible in order. */
  readonly fenced: boolean;
  /** How many communicators are open; the last one closes the descriptor. */
  open: number;
}

/**
 * A group of processes of one machine that meet in shared memory. docs/shm-protocol.md tells how.
 *
 * @example
 * ```ts
 * import { ShmCommunicator } from "@cobre/comm/shm";
 *
 * using comm = await ShmCommunicator.join({ name: "/myjob", rank: 0, size: 2 });
 * comm.barrier();
 * ```
 */
export class ShmCommunicator implements Communicator, SharedMemoryProvider {
  readonly backend = "shm";
  readonly rank: number;
  readonly size: number;
  readonly isLeader: boolean;

  private readonly base: Base;
  private readonly group: Group;
  private readonly membership: Membership;
  private readonly checks: CallChecks;
  private isClosed = false;

  /** Joins the group and waits until everybody has. */
  static async join(config: ShmConfig): Promise<ShmCommunicator> {
    const complete = configFromProgram(config);
    const system = await loadSystem();
    const { fd, shared, layout, firstStep } = await joinGroup(system, complete);
    const records = new Records(shared.buffer, layout);
    const fenced = process.arch !== "x64" || !records.areAllRegistered();
    const { rank, timeoutSecs } = complete;
    const base = { system, fd, timeoutSecs, fenced, open: 0 };
    const never = Number.POSITIVE_INFINITY;
    const comm = new ShmCommunicator(base, shared, layout, rank, firstStep, never);
    try {
      comm.agree(shared);
      return comm;
    } catch (error) {
      comm.close();
      if (!(error instanceof CollectiveFailed)) throw error;
      const { message, missingRanks } = error;
      throw new InitializationFailed("shm", message, { missingRanks, cause: error });
    }
  }

  private constructor(
    base: Base,
    shared: SharedMemory,
    layout: Layout,
    rank: number,
    firstStep: number,
    minBytes: number,
  ) {
    this.base = base;
    this.rank = rank;
    this.size = layout.size;
    this.isLeader = rank === 0;
    this.checks = new CallChecks(rank, this.size);
    base.open++;
    const { system, fd } = base;
    const liveness: Liveness = { isAlive: (other) => system.isByteLocked(fd, other) };
    this.membership = new Membership(shared, layout, rank, system, liveness);
    const patience = patienceFor(this.size, availableParallelism());
    const timeoutMs = base.timeoutSecs * 1000;
    const waiting = new Waiting(shared, layout, this.membership, system, patience, timeoutMs);
    const direct = new Direct(system, this.membership, minBytes);
    const share = (group: Group, bytes: number) => shareMemory(system, group, bytes);
    this.group = new Group(shared, layout, rank, firstStep, waiting, direct, share, base.fenced);
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
    if (this.size === 1) copyElements(send, 0, recv, displs[0] as number, send.length);
    else allgatherv(this.group, send, recv, type, counts, displs);
  }

  allreduce<T extends CommArray>(send: T, recv: T, op: ReduceOp): void {
    if (!this.membership.isOpen) throw this.membership.unusable("allreduce");
    const type = this.checks.allreduce(send, recv, op);
    if (this.size === 1) copyElements(send, 0, recv, 0, send.length);
    else allreduce(this.group, send, recv, type, op);
  }

  broadcast<T extends CommArray>(buf: T, root: number): void {
    if (!this.membership.isOpen) throw this.membership.unusable("broadcast");
    const type = this.checks.broadcast(buf, root);
    if (this.size > 1) broadcast(this.group, buf, type, root);
  }

  barrier(): void {
    if (!this.membership.isOpen) throw this.membership.unusable("barrier");
    if (this.size > 1) barrier(this.group, CALLS.barrier, 0);
  }

  createSharedRegion<T extends CommArray>(
    type: CommArrayConstructor<T>,
    count: number,
  ): ShmRegion<T> {
    if (!this.membership.isOpen) throw this.membership.unusable("createSharedRegion");
    const bytes = checkRegionRequest(type, count);
    const { code } = arrayTypeOfConstructor(type) as ArrayType;
    barrier(this.group, encodeCall(CALLS.createSharedRegion, code, 0, 0), count);
    const shared = shareMemory(this.base.system, this.group, bytes);
    return new ShmRegion(shared, type, count, () => this.fence());
  }

  /** The same ranks, with state of their own: its collectives and these never get mixed up. */
  splitLocal(): ShmCommunicator {
    if (!this.membership.isOpen) throw this.membership.unusable("splitLocal");
    barrier(this.group, CALLS.splitLocal, 0);
    const layout = new Layout(this.size);
    const shared = shareMemory(this.base.system, this.group, layout.totalBytes, SCRATCH_BYTES);
    initializeLines(new Int32Array(shared.buffer), layout, this.rank, 0);
    const { minBytes } = this.group.direct;
    const split = new ShmCommunicator(this.base, shared, layout, this.rank, 0, minBytes);
    split.membership.records.writeJoined(this.rank);
    barrier(this.group, CALLS.splitLocal, 1);
    return split;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.membership.close();
    forget(this.membership);
    this.base.open--;
    if (this.base.open === 0) closeSync(this.base.fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Ranks may see different numbers of cores, or have different rights: they have to agree. */
  private agree(shared: SharedMemory): void {
    const { group, membership, size } = this;
    const isAllowed = haveAll(group, canReadAll(this.base.system, shared, membership));
    const hasCores = haveAll(group, size <= availableParallelism());
    group.direct.minBytes = directMinBytes(isAllowed, hasCores);
  }

  private fence(): void {
    if (!this.membership.isOpen) throw this.membership.unusable("fence");
    barrier(this.group, CALLS.fence, 0);
  }
}
