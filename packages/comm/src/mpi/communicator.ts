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
import { debugDescription } from "../group/debug.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { Meter } from "../group/meter.js";
import { ArrayRegion } from "../memory/array-region.js";
import { HeapRegion } from "../memory/heap-region.js";
import { loadSystem } from "../memory/load-system.js";
import type { SharedMemorySystem } from "../memory/system.js";
import { allgatherv } from "./allgatherv.js";
import { allreduce } from "./allreduce.js";
import { barrier } from "./barrier.js";
import type { Handle } from "./bindings.js";
import { broadcast } from "./broadcast.js";
import { configFromProgram, type MpiConfig } from "./config.js";
import { LastMeeting } from "./farewell.js";
import { type Job, MpiGroup } from "./group.js";
import { joinJob } from "./join.js";
import { shareMemory } from "./share-memory.js";

/**
 * The ranks of an MPI job that a launcher (`mpirun`, `srun`) has started. See docs/mpi.md for how the
 * library is found and how a job ends.
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
  /** The first line of what the MPI library says about itself. */
  readonly library: string;

  private readonly group: MpiGroup;
  private readonly checks: CallChecks;
  /** For each rank, the lowest rank that shares memory with it. */
  private readonly leaders: readonly number[];
  /** `undefined` where memory cannot be shared. */
  private readonly system: SharedMemorySystem | undefined;
  private readonly meter: Meter | undefined;
  private localComm: Handle | undefined;

  /** Collective: joins the job. All its ranks must call it. */
  static async join(config: MpiConfig = {}): Promise<MpiCommunicator> {
    const { job, comm, neighbourhood, polled } = await joinJob(
      configFromProgram(config, process.env),
    );
    // On other platforms, `place.ts` treats every rank as alone on its machine.
    const system = process.platform === "linux" ? await loadSystem() : undefined;
    const made = new MpiCommunicator(job, comm, neighbourhood.leaders, system);
    job.runtime.farewells.add(new LastMeeting(made.group, polled));
    debugDescription(made.describe());
    return made;
  }

  private constructor(
    job: Job,
    comm: Handle,
    leaders: readonly number[],
    system: SharedMemorySystem | undefined,
  ) {
    this.group = new MpiGroup(job, comm);
    this.rank = this.group.rank;
    this.size = this.group.size;
    this.checks = new CallChecks(this.rank, this.size);
    this.leaders = leaders;
    this.isLeader = leaders[this.rank] === this.rank;
    this.library = job.runtime.library.version;
    this.system = system;
    this.meter = Meter.start(this, false);
  }

  allgatherv<T extends CommArray>(
    send: T,
    recv: T,
    counts: ArrayLike<number>,
    displs: ArrayLike<number>,
  ): void {
    if (!this.group.isOpen) throw this.group.unusable("allgatherv");
    const type = this.checks.allgatherv(send, recv, counts, displs);
    if (this.size === 1) copyElements(send, 0, recv, displs[0] as number, send.length);
    else allgatherv(this.group, send, recv, type, counts, displs);
  }

  allreduce<T extends CommArray>(send: T, recv: T, op: ReduceOp): void {
    if (!this.group.isOpen) throw this.group.unusable("allreduce");
    const type = this.checks.allreduce(send, recv, op);
    if (this.size === 1) copyElements(send, 0, recv, 0, send.length);
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
  ): SharedRegion<T> {
    const operation = "createSharedRegion";
    if (!this.group.isOpen) throw this.group.unusable(operation);
    const bytes = checkRegionRequest(type, count);
    const { code } = arrayTypeOfConstructor(type) as ArrayType;
    // Regions are made rarely, so always compare: a rank that maps more than the leader has made
    // crashes.
    this.group.agree(encodeCall(CALLS.createSharedRegion, code, 0, 0), count);
    const elements =
      this.system === undefined
        ? new HeapRegion(type, count).asMutSlice()
        : new type(shareMemory(this.system, this.group, this.leaders, bytes).buffer, 0, count);
    return new ArrayRegion(elements, () => this.fence());
  }

  /** The ranks of this machine. All splits of a communicator share one MPI communicator. */
  splitLocal(): MpiCommunicator {
    if (!this.group.isOpen) throw this.group.unusable("splitLocal");
    const { group, rank, leaders } = this;
    group.open(CALLS.splitLocal, 0);
    const leader = leaders[rank] as number;
    const { runtime } = group.job;
    this.localComm ??= runtime.makeCommunicator(
      "MPI_Comm_split",
      (out) => runtime.mpi.commSplit(group.comm, leader, rank, out),
      (code) => group.fail("splitLocal", "MPI_Comm_split", code),
    );
    const neighbours = leaders.filter((other) => other === leader);
    const splitLeaders = neighbours.map(() => 0);
    return new MpiCommunicator(group.job, this.localComm, splitLeaders, this.system);
  }

  describe(): CommDescription {
    const { rank, size, leaders, group } = this;
    const { job } = group;
    const { runtime } = job;
    const machines = [...new Set(leaders)].map((leader) =>
      leaders.flatMap((other, r) => (other === leader ? [r] : [])),
    );
    return {
      backend: "mpi",
      rank,
      size,
      machines,
      paths: {
        library: `${runtime.library.file} (${runtime.library.abi})`,
        calls: job.calls === runtime.mpi.blocking ? "blocking" : "polled",
        reductions: job.reduction,
        "calls compared": job.check ? "yes" : "no",
        "long messages": this.waysOfLongMessages(),
        memory: this.system?.description ?? "each rank's own",
      },
    };
  }

  private waysOfLongMessages(): string {
    const { maxCount, runtime } = this.group.job;
    const way = runtime.mpi.large === undefined ? "in chunks" : "by the functions of MPI-4";
    return `${way} from ${maxCount + 1} elements on`;
  }

  statistics(): CommStatistics | undefined {
    return this.meter?.statistics();
  }

  /**
   * Closes the communicator without waiting for others. `MPI_Finalize` is called when the process
   * exits, because it waits for all ranks and a process can call it only once.
   */
  close(): void {
    if (this.group.isOpen) this.meter?.report(this.rank);
    this.group.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** @internal Regions call it here, so that it can be measured. */
  fence(): void {
    if (!this.group.isOpen) throw this.group.unusable("fence");
    if (this.size > 1) barrier(this.group, "fence", CALLS.fence, 0);
  }
}
