import { ARRAY_TYPES, type ArrayType, type CommArray } from "../arrays.js";
import { CollectiveFailed, type InvalidCommunicator } from "../errors/comm-error.js";
import type { Koffi } from "../ffi/koffi.js";
import { CALLS, operationOf } from "../group/fingerprint.js";
import { Standing } from "../group/standing.js";
import { MISMATCH_ADVICE, storyOfClosing, storyOfMismatch } from "../group/stories.js";
import type { Collectives, ErrorCode, Handle } from "./bindings.js";
import { type Fixed, fixedDoubles, fixedInts } from "./fixed-memory.js";
import { KnownAddress } from "./known-address.js";
import type { MpiRuntime } from "./runtime.js";
import type { Scratch } from "./scratch.js";

/** What all communicators of this process share. */
export interface Job {
  readonly koffi: Koffi;
  readonly runtime: MpiRuntime;
  /** Blocking or polled; the same on all ranks. */
  readonly calls: Collectives;
  readonly scratch: Scratch;
  readonly reduction: "ordered" | "native";
  readonly check: boolean;
  readonly maxCount: number;
}

/**
 * How many numbers describe a call: the call, its length, and a hash of anything else that must be
 * equal.
 */
const FINGERPRINT = 3;

/**
 * This rank's place in an MPI communicator. The collectives are built from its methods, which also
 * handle failures.
 */
export class MpiGroup {
  readonly job: Job;
  readonly calls: Collectives;
  readonly comm: Handle;
  readonly rank: number;
  readonly size: number;
  /** The addresses of arrays that the caller uses repeatedly. */
  readonly send: KnownAddress;
  readonly recv: KnownAddress;
  /** One number per rank, for the library to read. */
  readonly counts: Fixed<Int32Array>;
  readonly displs: Fixed<Int32Array>;
  readonly recvCounts: Fixed<Int32Array>;
  readonly recvDispls: Fixed<Int32Array>;

  private readonly mine: Fixed<Float64Array>;
  private readonly everybody: Fixed<Float64Array>;
  private readonly standing = new Standing();

  constructor(job: Job, comm: Handle) {
    const { koffi, runtime } = job;
    this.job = job;
    this.calls = job.calls;
    this.comm = comm;
    this.rank = runtime.read("MPI_Comm_rank", (out) => runtime.mpi.commRank(comm, out));
    this.size = runtime.read("MPI_Comm_size", (out) => runtime.mpi.commSize(comm, out));
    this.send = new KnownAddress(koffi);
    this.recv = new KnownAddress(koffi);
    this.counts = fixedInts(koffi, this.size);
    this.displs = fixedInts(koffi, this.size);
    this.recvCounts = fixedInts(koffi, this.size);
    this.recvDispls = fixedInts(koffi, this.size);
    this.mine = fixedDoubles(koffi, FINGERPRINT);
    this.everybody = fixedDoubles(koffi, FINGERPRINT * this.size);
  }

  get isOpen(): boolean {
    return this.standing.isOpen && this.job.runtime.isLive;
  }

  get isBroken(): boolean {
    return this.standing.isBroken;
  }

  /** What an operation throws when the group is not open. */
  unusable(operation: string): InvalidCommunicator {
    return this.standing.unusable(operation);
  }

  close(): void {
    if (this.standing.isOpen) this.standing.close();
  }

  datatype(type: ArrayType): Handle {
    return this.job.runtime.constants.datatypes[type.code] as Handle;
  }

  /**
   * Opens a collective. If calls are compared, this happens here, before any data moves. `stirred`
   * stands for anything else that must be equal.
   */
  open(call: number, length: number, stirred = 0): void {
    if (this.job.check) this.agree(call, length, stirred);
  }

  /** Collective: ranks exchange their calls. If any differ, every rank throws. */
  agree(call: number, length: number, stirred = 0): void {
    if (this.size === 1) return;
    const { array } = this.mine;
    array[0] = call;
    array[1] = length;
    array[2] = stirred;
    const { address } = this.everybody;
    const type = this.doubles;
    const code = this.calls.allgather(
      array,
      FINGERPRINT,
      type,
      address,
      FINGERPRINT,
      type,
      this.comm,
    );
    if (code !== 0) this.fail(operationOf(call), "MPI_Allgather", code);
    this.compare();
  }

  /** Throws if the exchanged calls differ. */
  private compare(): void {
    const [call = 0, length = 0, stirred = 0] = this.mine.array;
    const all = this.everybody.array;
    for (let r = 0; r < this.size; r++) {
      const otherCall = all[r * FINGERPRINT] as number;
      const otherLength = all[r * FINGERPRINT + 1] as number;
      const otherStirred = all[r * FINGERPRINT + 2] as number;
      if (otherCall === call && otherLength === length && otherStirred === stirred) continue;
      this.failMismatch(call, length, r, otherCall, otherLength);
    }
  }

  /** Throws the error that an MPI function returned. */
  fail(operation: string, name: string, code: ErrorCode): never {
    const { runtime } = this.job;
    const { errorClass, text } = runtime.explain(code);
    runtime.hasFailed = true;
    this.break(
      operation,
      `${name} failed with error class ${errorClass}: ${text}.`,
      [],
      errorClass,
    );
  }

  /** Collective: the numbers of all ranks, in rank order. Meant for rare operations. */
  exchange(operation: string, numbers: Float64Array): Float64Array {
    if (this.size === 1) return numbers;
    const { array, address } = fixedDoubles(this.job.koffi, numbers.length * this.size);
    const n = numbers.length;
    const code = this.calls.allgather(
      numbers,
      n,
      this.doubles,
      address,
      n,
      this.doubles,
      this.comm,
    );
    if (code !== 0) this.fail(operation, "MPI_Allgather", code);
    return array;
  }

  private get doubles(): Handle {
    return this.datatype(ARRAY_TYPES.Float64Array);
  }

  private failMismatch(
    call: number,
    length: number,
    other: number,
    otherCall: number,
    otherLength: number,
  ): never {
    const closed: number[] = [];
    for (let r = 0; r < this.size; r++) {
      if (this.everybody.array[r * FINGERPRINT] === CALLS.close) closed.push(r);
    }
    if (closed.length > 0 && call !== CALLS.close) {
      this.break(operationOf(call), `${storyOfClosing(closed)}.`, closed, 0);
    }
    const mine = { rank: this.rank, call, length };
    const text = storyOfMismatch(mine, { rank: other, call: otherCall, length: otherLength });
    const reason = `${text}. ${MISMATCH_ADVICE}`;
    this.break(operationOf(call), reason, [], 0);
  }

  private break(
    operation: string,
    reason: string,
    missingRanks: readonly number[],
    mpiErrorCode: number,
  ): never {
    const { rank } = this;
    const failure = new CollectiveFailed({
      operation,
      backend: "mpi",
      rank,
      reason,
      missingRanks,
      mpiErrorCode,
    });
    this.standing.break(failure);
    throw failure;
  }
}

/** A part of an array, or the array itself if the part is all of it. */
export function partOf(array: CommArray, from: number, count: number): CommArray {
  return from === 0 && count === array.length ? array : array.subarray(from, from + count);
}
