/**
 * Allreduce folds in rank order with our own kernels, so the bytes are those of every other
 * backend. `MPI_Allreduce` may combine operands in any order, and in some releases it gives ranks
 * different bytes. It is used only if reductions are configured as native.
 *
 * - **whole**: every rank gets all operands and folds all of them. One collective.
 * - **blocks**: the vector is cut into one block per rank. Rank b gets block b of every operand and
 *   folds it; then all blocks are gathered. Two collectives, and R times less to fold and to move.
 *   A vector longer than the scratch memory is reduced in parts.
 */
import { type ArrayType, type CommArray, REDUCE_OPS, type ReduceOp } from "../arrays.js";
import { blockStart, STAGGER_BYTES } from "../blocks.js";
import { foldLoop } from "../fold/rule.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { type MpiGroup, partOf } from "./group.js";

const OPERATION = "allreduce";

/** Up to this size, one collective in which every rank folds everything is faster than two. */
const WHOLE_BYTES = 8192;

/** Up to this size, a plain loop is faster than the kernel plus a copy of its result. */
const LOOP_BYTES = 256;

/** The size in bytes of one part of a long vector, all blocks together. */
const PART_BYTES = 4 * 2 ** 20;

/** How many bytes of scratch memory a group of `size` ranks needs. */
export function scratchBytes(size: number): number {
  const blocks = PART_BYTES + size * (STAGGER_BYTES + 64);
  return Math.max(blocks, WHOLE_BYTES * size);
}

export function allreduce(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  if (group.job.check) {
    group.open(encodeCall(CALLS.allreduce, type.code, REDUCE_OPS[op], 0), send.length);
  }
  if (group.job.reduction === "native") reduceNatively(group, send, recv, type, op);
  else if (send.length * type.bytesPerElement <= WHOLE_BYTES)
    reduceWhole(group, send, recv, type, op);
  else reduceBlocks(group, send, recv, type, op);
}

function reduceWhole(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  const n = send.length;
  const { size } = group;
  const { scratch } = group.job;
  const datatype = group.datatype(type);
  const code = group.calls.allgather(
    group.send.of(send),
    n,
    datatype,
    scratch.address,
    n,
    datatype,
    group.comm,
  );
  if (code !== 0) group.fail(OPERATION, "MPI_Allgather", code);
  const bytes = n * type.bytesPerElement;
  if (bytes <= LOOP_BYTES) {
    const loop = foldLoop(type, op);
    const view = scratch.view(type);
    loop(recv, 0, view, 0, view, n, n);
    for (let r = 2; r < size; r++) loop(recv, 0, recv, 0, view, r * n, n);
  } else {
    const kernel = scratch.kernel(type, op);
    for (let r = 1; r < size; r++) kernel(0, 0, r * bytes, n);
    (recv as Float64Array).set(scratch.first(type, n) as Float64Array);
  }
}

function reduceBlocks(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  const part = PART_BYTES / type.bytesPerElement;
  for (let at = 0; at < send.length; at += part) {
    const n = Math.min(part, send.length - at);
    reducePart(group, partOf(send, at, n), partOf(recv, at, n), type, op);
  }
}

function reducePart(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  const { size, rank, counts, displs, recvCounts, recvDispls } = group;
  const { scratch } = group.job;
  const n = send.length;
  const datatype = group.datatype(type);
  const mine = blockStart(type, rank + 1, size, n) - blockStart(type, rank, size, n);
  const stride = blockStride(type, mine);
  for (let r = 0; r < size; r++) {
    const from = blockStart(type, r, size, n);
    counts.array[r] = blockStart(type, r + 1, size, n) - from;
    displs.array[r] = from;
    recvCounts.array[r] = mine;
    recvDispls.array[r] = r * stride;
  }
  let code = group.calls.alltoallv(
    send,
    counts.address,
    displs.address,
    datatype,
    scratch.address,
    recvCounts.address,
    recvDispls.address,
    datatype,
    group.comm,
  );
  if (code !== 0) group.fail(OPERATION, "MPI_Alltoallv", code);
  const kernel = scratch.kernel(type, op);
  for (let r = 1; r < size; r++) kernel(0, 0, r * stride * type.bytesPerElement, mine);
  code = group.calls.allgatherv(
    scratch.address,
    mine,
    datatype,
    recv,
    counts.address,
    displs.address,
    datatype,
    group.comm,
  );
  if (code !== 0) group.fail(OPERATION, "MPI_Allgatherv", code);
}

/** How many elements apart the operands of a block of `n` elements are in the scratch memory. */
function blockStride(type: ArrayType, n: number): number {
  const bytes = Math.ceil((n * type.bytesPerElement) / 64) * 64 + STAGGER_BYTES;
  return bytes / type.bytesPerElement;
}

/** Uses `MPI_Allreduce`: faster, but the library chooses the order of the operands. */
function reduceNatively(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  const { maxCount, runtime } = group.job;
  const datatype = group.datatype(type);
  const handle = runtime.constants.ops[op];
  const { large } = runtime.mpi;
  if (send.length > maxCount && large !== undefined) {
    const code = large.allreduce(send, recv, send.length, datatype, handle, group.comm);
    if (code !== 0) group.fail(OPERATION, "MPI_Allreduce_c", code);
    return;
  }
  for (let at = 0; at < send.length; at += maxCount) {
    const n = Math.min(maxCount, send.length - at);
    const from = group.send.of(partOf(send, at, n));
    const to = group.recv.of(partOf(recv, at, n));
    const code = group.calls.allreduce(from, to, n, datatype, handle, group.comm);
    if (code !== 0) group.fail(OPERATION, "MPI_Allreduce", code);
  }
}
