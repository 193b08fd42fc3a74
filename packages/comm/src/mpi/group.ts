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

/** What all communicators of this process have in common. */
export interface Shared {
  readonly koffi: Koffi;
  readonly runtime: MpiRuntime;
  /** Blocking or patient; all ranks have the same. */
  readonly calls: Collectives;
  readonly scratch: Scratch;
  readonly reduction: "ordered" | "native";
  readonly check: boolean;
  readonly maxCount: number;
}

/** How many numbers tell what a rank calls: the call, its length, a hash of whatever else counts. */
const FINGERPRINT = 3;

/**
 * This rank's place in an MPI communicator. The collectives are written in its words; it knows what
 * to do when one fails.
 */
export class MpiGroup {
  readonly shared: Shared;
  readonly calls: Collectives;
  readonly comm: Handle;
  readonly rank: number;
  readonly size: number;
  /** Where the arrays are with which the caller comes again and again. */
  readonly send: KnownAddress;
  readonly recv: KnownAddress;
  /** One number per rank each, for the library to read. */
  readonly counts: Fixed<Int32Array>;
  readonly displs: Fixed<Int32Array>;
  readonly recvCounts: Fixed<Int32Array>;
  readonly recvDispls: Fixed<Int32Array>;

  private readonly mine: Fixed<Float64Array>;
  private readonly everybody: Fixed<Float64Array>;
  private readonly standing = new Standing();

  constructor(shared: Shared, comm: Handle) {
    const { koffi, runtime } = shared;
    this.shared = shared;
    this.calls = shared.calls;
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
    return this.standing.isOpen && this.shared.runtime.isLive;
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
    return this.shared.runtime.constants.datatypes[type.code] as Handle;
  }

  /** Opens a collective. If calls are compared, then before any data moves. `stirred` stands for whatever else must be equal. */
  open(call: number, length: number, stirred = 0): void {
    if (this.shared.check) this.agree(call, length, stirred);
  }

  /** Collective: all ranks tell what they call; if they differ, all of them find and throw the same. */
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

  /** Throws if the calls that were exchanged differ. */
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

  /** An MPI function said no: throws what it said. */
  fail(operation: string, name: string, code: ErrorCode): never {
    const { runtime } = this.shared;
    const { errorClass, text } = runtime.explain(code);
    runtime.hasFailed = true;
    this.break(
      operation,
      `${name} failed with error class ${errorClass}: ${text}.`,
      [],
      errorClass,
    );
  }

  /** Collective: everybody's numbers, in rank order. For what happens seldom. */
  exchange(operation: string, numbers: Float64Array): Float64Array {
    if (this.size === 1) return numbers;
    const { array, address } = fixedDoubles(this.shared.koffi, numbers.length * this.size);
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

/** A part of an array; the array itself if it is all of it. */
export function partOf(array: CommArray, from: number, count: number): CommArray {
  return from === 0 && count === array.length ? array : array.subarray(from, from + count);
}
