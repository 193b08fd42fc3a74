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
import { LinuxSystem } from "../ffi/linux-system.js";
import type { SharedMemorySystem } from "../ffi/shared-memory-system.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { HeapRegion } from "../local/heap-region.js";
import { allgatherv } from "./allgatherv.js";
import { allreduce } from "./allreduce.js";
import { barrier } from "./barrier.js";
import type { Handle } from "./bindings.js";
import { broadcast } from "./broadcast.js";
import { configFromProgram, type MpiConfig } from "./config.js";
import { LastMeeting } from "./farewell.js";
import { MpiGroup, type Shared } from "./group.js";
import { joinJob } from "./join.js";
import { MpiRegion } from "./region.js";
import { shareMemory } from "./share-memory.js";

/**
 * The ranks of an MPI job, which its launcher (`mpirun`, `srun`) has started. docs/mpi.md tells how
 * the library is found, and how a job ends.
 *
 * @example
 * ```ts
 * import { MpiCommunicator } from "@cobre/comm/mpi";
 *
 * using comm = await MpiCommunicator.join({ reduction: "native" });
 * console.log(`rank ${comm.rank} of ${comm.size}, ${comm.library}`);
 * ```
 */
export class MpiCommunicator implements Communicator, SharedMemoryProvider {
  readonly backend = "mpi";
  readonly rank: number;
  readonly size: number;
  readonly isLeader: boolean;
  /** What the MPI library says it is: its first line. */
  readonly library: string;

  private readonly group: MpiGroup;
  private readonly checks: CallChecks;
  /** For each rank the lowest one that shares memory with it. */
  private readonly leaders: readonly number[];
  /** `undefined` where memory cannot be shared. */
  private readonly system: SharedMemorySystem | undefined;
  private localComm: Handle | undefined;

  /** Joins the job. Collective: all its ranks must. */
  static async join(config: MpiConfig = {}): Promise<MpiCommunicator> {
    const { shared, comm, neighbourhood, patience } = await joinJob(
      configFromProgram(config, process.env),
    );
    const system = process.platform === "linux" ? new LinuxSystem(shared.koffi) : undefined;
    const made = new MpiCommunicator(shared, comm, neighbourhood.leaders, system);
    shared.runtime.farewells.add(new LastMeeting(made.group, patience));
    return made;
  }

  private constructor(
    shared: Shared,
    comm: Handle,
    leaders: readonly number[],
    system: SharedMemorySystem | undefined,
  ) {
    this.group = new MpiGroup(shared, comm);
    this.rank = this.group.rank;
    this.size = this.group.size;
    this.checks = new CallChecks(this.rank, this.size);
    this.leaders = leaders;
    this.isLeader = leaders[this.rank] === this.rank;
    this.library = shared.runtime.library.version;
    this.system = system;
  }

  allgatherv<T extends CommArray>(
    send: T,
    recv: T,
    counts: ArrayLike<number>,
    displs: ArrayLike<number>,
  ): void {
    if (!this.group.isOpen) throw this.group.unusable("allgatherv");
    const type = this.checks.allgatherv(send, recv, counts, displs);
    if (this.size === 1) copyElements(send, recv, displs[0] as number);
    else allgatherv(this.group, send, recv, type, counts, displs);
  }

  allreduce<T extends CommArray>(send: T, recv: T, op: ReduceOp): void {
    if (!this.group.isOpen) throw this.group.unusable("allreduce");
    const type = this.checks.allreduce(send, recv, op);
    if (this.size === 1) copyElements(send, recv, 0);
    else allreduce(this.group, send, recv, type, op);
  }

  broadcast<T extends CommArray>(buf: T, root: number): void {
    if (!this.group.isOpen) throw this.group.unusable("broadcast");
    const type = this.checks.broadcast(buf, root);
    if (this.size > 1) broadcast(this.group, buf, type, root);
  }

  barrier(): void {
    if (!this.group.isOpen) throw this.group.unusable("barrier");
    if (this.size > 1) barrier(this.group, "barrier", CALLS.barrier, 0);
  }

  createSharedRegion<T extends CommArray>(
    type: CommArrayConstructor<T>,
    count: number,
  ): MpiRegion<T> {
    const operation = "createSharedRegion";
    if (!this.group.isOpen) throw this.group.unusable(operation);
    const bytes = checkRegionRequest(type, count);
    const { code } = arrayTypeOfConstructor(type) as ArrayType;
    // Seldom enough to be compared always: who maps more than the leader has made dies of it.
    this.group.agree(encodeCall(CALLS.createSharedRegion, code, 0, 0), count);
    const elements =
      this.system === undefined
        ? new HeapRegion(type, count).asMutSlice()
        : new type(shareMemory(this.system, this.group, this.leaders, bytes).buffer, 0, count);
    return new MpiRegion(elements, () => this.fence());
  }

  /** The ranks of this machine. All splits of a communicator share one communicator of MPI's. */
  splitLocal(): MpiCommunicator {
    if (!this.group.isOpen) throw this.group.unusable("splitLocal");
    const { group, rank, leaders } = this;
    group.open(CALLS.splitLocal, 0);
    const leader = leaders[rank] as number;
    const { runtime } = group.shared;
    this.localComm ??= runtime.makeCommunicator(
      "MPI_Comm_split",
      (out) => runtime.mpi.commSplit(group.comm, leader, rank, out),
      (code) => group.fail("splitLocal", "MPI_Comm_split", code),
    );
    const neighbours = leaders.filter((other) => other === leader);
    const everybodyOfZero = neighbours.map(() => 0);
    return new MpiCommunicator(group.shared, this.localComm, everybodyOfZero, this.system);
  }

  /**
   * Lets go; waits for nobody. `MPI_Finalize` is called when the process exits, since it waits for all
   * ranks and a process can call it only once.
   */
  close(): void {
    this.group.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  private fence(): void {
    if (!this.group.isOpen) throw this.group.unusable("fence");
    if (this.size > 1) barrier(this.group, "fence", CALLS.fence, 0);
  }
}
