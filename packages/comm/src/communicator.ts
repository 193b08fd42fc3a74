/**
 * The contract. It is written only here. Every backend implements it, and the conformance suite
 * tests every backend against it.
 */
import type { CommArray, CommArrayConstructor, ReduceOp } from "./arrays.js";

/** The names of all backends. A build has some of them, and always `local`. */
export type BackendName = "local" | "shm" | "tcp" | "mpi";

/**
 * A group of processes (ranks) that meet in collective calls.
 *
 * Every rank makes the same calls in the same order. A call blocks until its result is in place.
 * Arguments are checked before any memory is touched, in the same way on every backend. A violation
 * throws a {@link CommError} on the rank that made it. `send` and `recv` must not overlap.
 *
 * If several things are wrong with a call, the first of this list is told:
 * 1. the communicator is closed or broken;
 * 2. the arrays: `send` (or `buf`) is none, `recv` is none, they differ in type, they overlap;
 * 3. each other argument by itself, in the order of the parameters; of `counts`, then of `displs`:
 *    that it is no list, its length, its first entry that is not whole;
 * 4. how they fit together. For `allreduce`: there is nothing to reduce, the lengths differ. For
 *    `allgatherv`: the first piece that does not lie in `recv`, pieces that overlap, the length of
 *    `send`;
 * 5. what ranks find out only together: that calls differ, then that memory is lacking.
 *
 * @example
 * ```ts
 * using comm = await createCommunicator();
 * const mine = Float64Array.of(comm.rank + 1);
 * const total = new Float64Array(1);
 * comm.allreduce(mine, total, "sum");
 * if (comm.rank === 0) console.log(total[0]);
 * ```
 */
export interface Communicator extends Disposable {
  /** Which backend this is; narrows the union that `createCommunicator` returns. */
  readonly backend: BackendName;

  /** This process's number: 0 … `size - 1`, constant. */
  readonly rank: number;

  /** The number of ranks, constant. A group of one is allowed on every backend. */
  readonly size: number;

  /**
   * Every rank contributes a piece and receives all pieces.
   *
   * Before: `counts` and `displs` have `size` entries, whole numbers of 0 or more; `counts` is the
   * same on every rank; `send.length` is `counts[rank]`; each `[displs[r], displs[r] + counts[r])`
   * lies inside `recv`, and none overlap. A count may be 0.
   *
   * After: rank r's piece is at each rank's `displs[r]`, byte for byte; gaps are untouched.
   * No rank returns before all have contributed.
   *
   * @example
   * ```ts
   * // ranks 0 and 1 contribute two and three values
   * comm.allgatherv(mine, all, [2, 3], [0, 2]);
   * ```
   */
  allgatherv<T extends CommArray>(
    send: T,
    recv: T,
    counts: ArrayLike<number>,
    displs: ArrayLike<number>,
  ): void;

  /**
   * Combines the ranks' vectors element by element.
   *
   * Before: `send` and `recv` have the same type and the same length, at least 1, on every rank;
   * every rank names the same `op`.
   *
   * After: `recv[i] = op(… op(op(send₀[i], send₁[i]), send₂[i]) …)`, folded in rank order in the
   * element's own arithmetic: the same bytes on every rank and every backend (on `mpi` only with
   * ordered reductions, the default). See `fold/rule.ts` for rounding, wrapping, NaN and signed
   * zeros. With one rank, the bytes are copied.
   */
  allreduce<T extends CommArray>(send: T, recv: T, op: ReduceOp): void;

  /**
   * Copies the root's `buf` into every rank's `buf`, byte for byte.
   *
   * Before: `0 <= root < size`; the same type, length (0 is fine) and root on every rank.
   */
  broadcast<T extends CommArray>(buf: T, root: number): void;

  /** Returns when every rank has entered. */
  barrier(): void;

  /**
   * How this group communicates: which ranks share a machine, and which paths the ranks agreed on.
   */
  describe(): CommDescription;

  /**
   * What this rank has called since it joined. `undefined` unless `COBRE_COMM_STATISTICS=1` was set
   * when the communicator was created: measuring is off by default and then costs nothing.
   *
   * @example
   * ```ts
   * const { allreduce } = comm.statistics() ?? {};
   * if (allreduce) console.log(`${allreduce.calls} calls, ${allreduce.ms} ms`);
   * ```
   */
  statistics(): CommStatistics | undefined;

  /**
   * Leaves the group and releases all resources. May be called again; waits for other ranks for a
   * moment at most. Later collectives throw `InvalidCommunicator`.
   */
  close(): void;
}

/** The result of {@link Communicator.describe}: plain data, for people and for bug reports. */
export interface CommDescription {
  readonly backend: BackendName;
  readonly rank: number;
  readonly size: number;
  /** The ranks of each machine, in order. */
  readonly machines: readonly (readonly number[])[];
  /** The paths that the ranks agreed on, by name. The names depend on the backend. */
  readonly paths: Readonly<Record<string, string>>;
}

/** The collectives that {@link Communicator.statistics} counts. `fence`: of the shared regions. */
export type Collective = "allgatherv" | "allreduce" | "broadcast" | "barrier" | "fence";

/** Statistics of one rank, by collective. */
export type CommStatistics = Readonly<Record<Collective, CallStatistics>>;

/** Statistics of one rank and one collective. */
export interface CallStatistics {
  readonly calls: number;
  /**
   * The bytes that this rank contributed; for a broadcast, the length of the array on every rank.
   */
  readonly bytes: number;
  /** The time spent in these calls. */
  readonly ms: number;
  /**
   * The part of `ms` in which this rank waited for others, without the first microseconds of each
   * wait. `null` with `mpi`, whose library does not report it.
   */
  readonly waitingMs: number | null;
}

/** Memory that the ranks of one machine share, where the backend supports it. */
export interface SharedMemoryProvider {
  /**
   * Collective: makes a region of `count` elements, zeroed. On `shm` and `mpi` there is one copy per
   * machine, and all its ranks may write disjoint parts of it. On `local` and `tcp` each rank has a
   * copy of its own and is its own leader.
   *
   * @example
   * ```ts
   * using region = comm.createSharedRegion(Float64Array, 1_000_000);
   * if (comm.isLeader) region.asMutSlice().fill(1);
   * region.fence();
   * const table = region.asSlice(); // the same memory on every local rank
   * ```
   */
  createSharedRegion<T extends CommArray>(
    type: CommArrayConstructor<T>,
    count: number,
  ): SharedRegion<T>;

  /** Collective: a communicator over the ranks that can share memory with this one. */
  splitLocal(): Communicator;

  /** Whether this is rank 0 of `splitLocal()`: exactly one leader per shared copy. */
  readonly isLeader: boolean;
}

/** A read-only view of a {@link CommArray}. The elements are live: other ranks may write them. */
export type ReadonlySlice<T extends CommArray> = Omit<
  T,
  "set" | "fill" | "sort" | "reverse" | "copyWithin" | number
> & {
  readonly [index: number]: T[number];
};

/** A handle on a region; see {@link SharedMemoryProvider.createSharedRegion}. */
export interface SharedRegion<T extends CommArray> extends Disposable {
  /** The elements, to read. Zero-copy: the same memory at each call. */
  asSlice(): ReadonlySlice<T>;

  /** The elements, to write. Zero-copy: the same memory at each call. */
  asMutSlice(): T;

  /**
   * Collective: all ranks that share this memory see after it what any of them wrote before it.
   * Where each rank has its own copy (`local`, `tcp`) or is on another machine, no other rank sees
   * the writes. On `local` and `tcp` it therefore waits for no one.
   */
  fence(): void;

  /**
   * Releases the region. May be called again. A view obtained earlier may still be read safely; the
   * memory returns to the system when no view is left.
   */
  close(): void;
}
