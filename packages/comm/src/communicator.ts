/**
 * The contract. It is written here once: every backend implements it, none repeats it, and the
 * conformance suite holds each of them to every sentence.
 */
import type { CommArray, CommArrayConstructor, ReduceOp } from "./arrays.js";

/** The backends there can be; a build has some of them, `local` always. */
export type BackendName = "local" | "shm" | "tcp" | "mpi";

/**
 * A group of processes (ranks) that meet in collective calls.
 *
 * Every rank makes the same calls in the same order; a call returns when its result is in place.
 * Calls block: a rank computes, then meets the others. Arguments are checked before any memory is
 * touched, the same way on every backend; a violation throws a {@link CommError} on the rank that
 * made it. `send` and `recv` must not overlap.
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

  /** How many ranks there are, constant. `size === 1` is the single-rank case on any backend. */
  readonly size: number;

  /**
   * Every rank contributes a piece; every rank receives all pieces.
   *
   * Before: `counts` and `displs` have `size` entries, whole and not negative; `send.length` is
   * `counts[rank]`; each `[displs[r], displs[r] + counts[r])` lies inside `recv` and none overlap.
   * A count may be 0.
   *
   * After: rank r's piece stands at `displs[r]` on every rank, byte for byte; gaps are untouched.
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
   * element's own arithmetic: the same bytes on every rank and every backend. See `fold/rule.ts`
   * for rounding, wrapping, NaN and signed zeros. With one rank it is a copy of the bytes.
   */
  allreduce<T extends CommArray>(send: T, recv: T, op: ReduceOp): void;

  /**
   * Copies the root's `buf` into everybody's `buf`, byte for byte.
   *
   * Before: `0 <= root < size`; the same type, length (0 is fine) and root on every rank.
   */
  broadcast<T extends CommArray>(buf: T, root: number): void;

  /** Returns when every rank has entered. */
  barrier(): void;

  /**
   * Says goodbye and lets go of everything. Idempotent; never waits for the others longer than a
   * moment. Later collectives throw `InvalidCommunicator`.
   */
  close(): void;
}

/** Memory that the ranks of one machine share, where the backend can share memory. */
export interface SharedMemoryProvider {
  /**
   * Collective: makes a region of `count` elements, zeroed. On `shm` and `mpi` there is one copy
   * per machine and all local ranks may write disjoint parts of it; on `local` and `tcp` each rank
   * has its own, and is its own leader.
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

/** A {@link CommArray} that is only read. The elements are live: others may write them. */
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

  /** Collective: what any rank wrote before it is seen by all ranks after it. */
  fence(): void;

  /**
   * Gives the region up. Idempotent. A view obtained before may still be read without fault; the
   * memory goes back to the system when no view is left.
   */
  close(): void;
}
