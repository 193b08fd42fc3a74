import { closeSync } from "node:fs";
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
import type {
  CommDescription,
  CommStatistics,
  Communicator,
  SharedMemoryProvider,
  SharedRegion,
} from "../communicator.js";
import { InitializationFailed } from "../errors/backend-error.js";
import { AllocationFailed, CollectiveFailed } from "../errors/comm-error.js";
import { debug, debugDescription } from "../group/debug.js";
import { forget, remember } from "../group/farewell.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { Meter } from "../group/meter.js";
import { keepsCores, type Patience } from "../group/patience.js";
import { ArrayRegion } from "../memory/array-region.js";
import { loadSystem } from "../memory/load-system.js";
import type { SharedMemory } from "../memory/shared-memory.js";
import type { SharedMemorySystem } from "../memory/system.js";
import { type CoreKeeper, describeWaiting, keeperFor } from "../processors/core-keeper.js";
import { haveProcessorEach } from "../processors/room.js";
import { allgatherv } from "./allgatherv.js";
import { allreduce } from "./allreduce.js";
import { barrier } from "./barrier.js";
import { broadcast } from "./broadcast.js";
import { configFromProgram, type ShmConfig } from "./config.js";
import { Direct, directMinBytes, obstacleToReading } from "./direct.js";
import { Group } from "./group.js";
import { initializeLines, joinGroup } from "./join.js";
import { Layout, SCRATCH_BYTES } from "./layout.js";
import { type Liveness, Membership } from "./membership.js";
import { Records } from "./records.js";
import { haveAll, shareMemory } from "./share-memory.js";
import { patienceFor, Waiting } from "./waiting.js";

/** A failure at the start is a failure of the backend, also if only memory is short. */
function startFailure(error: unknown): never {
  if (!(error instanceof AllocationFailed)) throw error;
  throw new InitializationFailed("shm", error.message, { cause: error });
}

/** What a communicator shares with those split from it. */
interface Base {
  readonly system: SharedMemorySystem;
  /** The descriptor of the segment. Its locks tell the other ranks that this process is alive. */
  readonly fd: number;
  readonly timeoutSecs: number;
  /**
   * Whether announcements need a fence. They do not on x64, where stores become visible in order,
   * if every rank is registered for memory barriers.
   */
  readonly fenced: boolean;
  /** Whether every rank can have a core to itself. */
  readonly hasCoreEach: boolean;
  readonly patience: Patience;
  readonly keeper: CoreKeeper | undefined;
  /** How many communicators are open; the last one closes the descriptor. */
  open: number;
}

/**
 * A group of processes on one machine that meet in shared memory. See docs/shm-protocol.md.
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
  private readonly meter: Meter | undefined;
  private isClosed = false;

  /** Joins the group and waits until all ranks have joined. */
  static async join(config: ShmConfig): Promise<ShmCommunicator> {
    const complete = configFromProgram(config);
    const system = await loadSystem();
    const { fd, shared, layout, firstStep } = await joinGroup(system, complete).catch(startFailure);
    const records = new Records(shared.buffer, layout);
    const fenced = process.arch !== "x64" || !records.areAllRegistered();
    const { rank, timeoutSecs } = complete;
    const pids = records.visiblePids(rank);
    const hasCoreEach = haveProcessorEach(pids, rank);
    const keeper = hasCoreEach && keepsCores() ? await keeperFor(pids) : undefined;
    const patience = patienceFor(hasCoreEach);
    const base = { system, fd, timeoutSecs, fenced, hasCoreEach, patience, keeper, open: 0 };
    const never = Number.POSITIVE_INFINITY;
    const comm = new ShmCommunicator(base, shared, layout, rank, firstStep, never);
    try {
      comm.agree(shared);
      debugDescription(comm.describe());
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
    const { patience, keeper } = base;
    const timeoutMs = base.timeoutSecs * 1000;
    const { membership } = this;
    const waiting = new Waiting(shared, layout, membership, system, patience, keeper, timeoutMs);
    const direct = new Direct(system, this.membership, minBytes);
    const share = (group: Group, bytes: number) => shareMemory(system, group, bytes);
    this.group = new Group(shared, layout, rank, firstStep, waiting, direct, share, base.fenced);
    this.meter = Meter.start(this);
    waiting.meter = this.meter;
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
  ): SharedRegion<T> {
    if (!this.membership.isOpen) throw this.membership.unusable("createSharedRegion");
    const bytes = checkRegionRequest(type, count);
    const { code } = arrayTypeOfConstructor(type) as ArrayType;
    barrier(this.group, encodeCall(CALLS.createSharedRegion, code, 0, 0), count);
    const shared = shareMemory(this.base.system, this.group, bytes);
    return new ArrayRegion(new type(shared.buffer, 0, count), () => this.fence());
  }

  /** The same ranks with separate state: the collectives of the two communicators never mix. */
  splitLocal(): ShmCommunicator {
    if (!this.membership.isOpen) throw this.membership.unusable("splitLocal");
    barrier(this.group, CALLS.splitLocal, 0);
    const layout = new Layout(this.size);
    const { system } = this.base;
    const parts = layout.parts(this.rank);
    const shared = shareMemory(system, this.group, layout.totalBytes, parts, SCRATCH_BYTES);
    initializeLines(new Int32Array(shared.buffer), layout, this.rank, 0);
    const { minBytes } = this.group.direct;
    const split = new ShmCommunicator(this.base, shared, layout, this.rank, 0, minBytes);
    split.membership.records.writeJoined(this.rank);
    barrier(this.group, CALLS.splitLocal, 1);
    return split;
  }

  describe(): CommDescription {
    const { rank, size, base, group } = this;
    const { minBytes } = group.direct;
    const long = Number.isFinite(minBytes)
      ? `read from each other's memory, from ${minBytes} bytes on`
      : "through shared memory";
    return {
      backend: "shm",
      rank,
      size,
      machines: [Array.from({ length: size }, (_, r) => r)],
      paths: {
        memory: base.system.description,
        "long messages": long,
        announcements: base.fenced ? "fenced" : "without a fence",
        waiting: describeWaiting(base.patience, base.keeper),
      },
    };
  }

  statistics(): CommStatistics | undefined {
    return this.meter?.statistics();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.meter?.report(this.rank);
    this.membership.close();
    forget(this.membership);
    this.base.open--;
    if (this.base.open === 0) closeSync(this.base.fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Ranks may see different numbers of cores or have different permissions, so they must agree. */
  private agree(shared: SharedMemory): void {
    const { group, membership } = this;
    const obstacle = obstacleToReading(this.base.system, shared, membership);
    if (obstacle !== undefined) debug(this.rank, `cannot read other ranks' memory: ${obstacle}`);
    const isAllowed = haveAll(group, obstacle === undefined);
    if (!isAllowed && obstacle === undefined) {
      debug(this.rank, "no rank reads other ranks' memory, because another rank cannot");
    }
    const hasCores = haveAll(group, this.base.hasCoreEach);
    group.direct.minBytes = directMinBytes(isAllowed, hasCores);
  }

  /** @internal Regions call it here, so that it can be measured. */
  fence(): void {
    if (!this.membership.isOpen) throw this.membership.unusable("fence");
    barrier(this.group, CALLS.fence, 0);
  }
}
