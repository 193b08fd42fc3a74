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
import { Sockets } from "../ffi/sockets.js";
import { SystemCallError } from "../ffi/system-call-error.js";
import { debugDescription } from "../group/debug.js";
import { forget, remember } from "../group/farewell.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { Meter } from "../group/meter.js";
import { keepsCores, type Patience } from "../group/patience.js";
import { LocalCommunicator } from "../local/communicator.js";
import { HeapRegion } from "../memory/heap-region.js";
import { type CoreKeeper, describeWaiting, keeperFor } from "../processors/core-keeper.js";
import { haveProcessorEach } from "../processors/room.js";
import { allgatherv } from "./allgatherv.js";
import { allreduce } from "./allreduce.js";
import { meet } from "./barrier.js";
import { broadcast } from "./broadcast.js";
import { type CompleteTcpConfig, configFromProgram, type TcpConfig } from "./config.js";
import { gatherWorkers } from "./gathering.js";
import { Group } from "./group.js";
import { type Joined, localRanks, visiblePids } from "./joined.js";
import { joinCoordinator } from "./joining.js";
import { Membership } from "./membership.js";
import { Operands } from "./operands.js";
import { ShortMessages } from "./short.js";
import { patienceFor, Waiting } from "./waiting.js";

/**
 * A group of processes on one or many machines, connected by sockets. docs/wire-protocol.md describes
 * the protocol.
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
  private readonly sockets: Sockets;
  private readonly machines: readonly number[];
  private readonly patience: Patience;
  private readonly keeper: CoreKeeper | undefined;
  private readonly meter: Meter | undefined;

  /** Joins the group and waits until all ranks have joined. */
  static async join(config: TcpConfig): Promise<TcpCommunicator> {
    const complete = configFromProgram(config);
    const sockets = await Sockets.load(complete.silenceSecs);
    try {
      const joined =
        complete.rank === 0
          ? await gatherWorkers(sockets, complete)
          : await joinCoordinator(sockets, complete);
      const { rank } = complete;
      const pids = visiblePids(sockets, joined);
      const local = localRanks(joined, rank);
      const processes = local.map((r) => pids[r]);
      const hasCoreEach = haveProcessorEach(processes, local.indexOf(rank));
      const keeper = hasCoreEach && keepsCores() ? await keeperFor(pids) : undefined;
      return new TcpCommunicator(sockets, complete, joined, !hasCoreEach, keeper);
    } catch (error) {
      if (!(error instanceof SystemCallError)) throw error;
      throw new InitializationFailed("tcp", error.message, { cause: error });
    }
  }

  private constructor(
    sockets: Sockets,
    config: CompleteTcpConfig,
    joined: Joined,
    isCrowded: boolean,
    keeper: CoreKeeper | undefined,
  ) {
    const { rank, size, timeoutSecs } = config;
    const { star, mesh = [], machines } = joined;
    this.rank = rank;
    this.size = size;
    this.checks = new CallChecks(rank, size);
    this.membership = new Membership(rank, star, mesh, sockets);
    if (isCrowded) for (const link of this.membership.links) sockets.deepen(link.fd);
    this.patience = patienceFor(isCrowded);
    this.keeper = keeper;
    const { membership, patience } = this;
    const waiting = new Waiting(sockets, membership, patience, keeper, timeoutSecs * 1000);
    this.group = new Group(sockets, this.membership, waiting, joined);
    this.messages = new ShortMessages(this.group);
    this.operands = new Operands(sockets, rank, size);
    this.sockets = sockets;
    this.machines = machines;
    this.meter = Meter.start(this);
    waiting.meter = this.meter;
    remember(this.membership);
    debugDescription(this.describe());
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
    else allgatherv(this.group, this.messages, send, recv, type, counts, displs);
  }

  allreduce<T extends CommArray>(send: T, recv: T, op: ReduceOp): void {
    if (!this.membership.isOpen) throw this.membership.unusable("allreduce");
    const type = this.checks.allreduce(send, recv, op);
    if (this.size === 1) copyElements(send, 0, recv, 0, send.length);
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

  /**
   * Memory of this process alone. Ranks still meet, so that a mismatch of calls is found here, too.
   */
  createSharedRegion<T extends CommArray>(
    type: CommArrayConstructor<T>,
    count: number,
  ): SharedRegion<T> {
    if (!this.membership.isOpen) throw this.membership.unusable("createSharedRegion");
    checkRegionRequest(type, count);
    const { code } = arrayTypeOfConstructor(type) as ArrayType;
    this.meet(encodeCall(CALLS.createSharedRegion, code, 0, 0), count);
    return new HeapRegion(type, count);
  }

  /** A group of this rank alone: no other rank shares its memory. */
  splitLocal(): LocalCommunicator {
    if (!this.membership.isOpen) throw this.membership.unusable("splitLocal");
    this.meet(CALLS.splitLocal, 0);
    return new LocalCommunicator();
  }

  describe(): CommDescription {
    const { rank, size, group, sockets } = this;
    const byMachine = new Map<number, number[]>();
    this.machines.forEach((machine, r) => {
      byMachine.set(machine, [...(byMachine.get(machine) ?? []), r]);
    });
    // The links that carry data. Connections to rank 0 exist in any case, for control frames.
    const links = (group.mesh ?? this.membership.star).filter((link) => link !== undefined);
    const kinds = new Set(
      links.map(({ fd }) => (sockets.isWithinMachine(fd) ? "Unix sockets" : "TCP")),
    );
    return {
      backend: "tcp",
      rank,
      size,
      machines: [...byMachine.values()],
      paths: {
        connections: group.mesh === undefined ? "to rank 0 only" : "between all ranks",
        "data travels by": [...kinds].sort().join(" and ") || "nothing",
        waiting: describeWaiting(this.patience, this.keeper),
      },
    };
  }

  statistics(): CommStatistics | undefined {
    return this.meter?.statistics();
  }

  close(): void {
    if (this.membership.isOpen) this.meter?.report(this.rank);
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
