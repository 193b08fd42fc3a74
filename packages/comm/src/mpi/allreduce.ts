/**
 * Allreduce, folded in rank order by our own kernels: the bytes are those of every other backend.
 * `MPI_Allreduce` may take operands in any order, and in some releases gives ranks different bytes.
 *
 * - **whole**: everybody gets all operands and folds all of them. One collective.
 * - **blocks**: the vector is cut into one block per rank; rank b gets everybody's block b, folds it,
 *   and all blocks are gathered. Two collectives, R times less to fold and to move. A vector longer
 *   than the scratch memory goes in parts.
 */
import { type ArrayType, type CommArray, REDUCE_OPS, type ReduceOp } from "../arrays.js";
import { foldLoop } from "../fold/rule.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { type MpiGroup, partOf } from "./group.js";

const OPERATION = "allreduce";

/** Up to here one collective and R times the folding is faster than two collectives. */
const WHOLE_BYTES = 8192;

/** Up to here a plain loop is faster than the kernel and the copy of its result. */
const LOOP_BYTES = 256;

/** Operands a multiple of 4 KiB apart are slow to fold: blocks stand this much further apart. */
const STAGGER_BYTES = 576;

/** What one part of a long vector may have, in bytes of all blocks together. */
const PART_BYTES = 4 * 2 ** 20;

/** How much scratch memory a group of `size` ranks needs. */
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
  if (group.shared.check) {
    group.open(encodeCall(CALLS.allreduce, type.code, REDUCE_OPS[op], 0), send.length);
  }
  if (group.shared.reduction === "native") reduceNatively(group, send, recv, type, op);
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
  const { scratch } = group.shared;
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
  const { scratch } = group.shared;
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

/** Where block `b` of `n` elements begins: at multiples of 64 bytes, so that ranks share no cache line. */
function blockStart(type: ArrayType, b: number, size: number, n: number): number {
  const grain = 64 / type.bytesPerElement;
  const grains = Math.ceil(n / grain);
  return Math.min(n, Math.floor((grains * b) / size) * grain);
}

/** How many elements apart the operands of a block of `n` elements stand in the scratch memory. */
function blockStride(type: ArrayType, n: number): number {
  const bytes = Math.ceil((n * type.bytesPerElement) / 64) * 64 + STAGGER_BYTES;
  return bytes / type.bytesPerElement;
}

/** `MPI_Allreduce`, for who prefers its speed to the same bytes everywhere. */
function reduceNatively(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  const { maxCount, runtime } = group.shared;
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
