/**
 * Allgatherv calls `MPI_Allgatherv`. If all pieces together have more elements than an `int` can
 * count, it calls `MPI_Allgatherv_c`. Where the library lacks that function, it broadcasts every
 * piece in chunks: only a broadcast has no displacement that could overflow.
 *
 * All ranks must choose the same way. So the choice depends only on the counts, because
 * displacements may differ between ranks. If a rank's own displacements are too large for
 * `MPI_Allgatherv`, it gathers the pieces side by side and then copies them into place.
 */
import { type ArrayType, type CommArray, copyElements } from "../arrays.js";
import { CALLS, encodeCall, hashCounts } from "../group/fingerprint.js";
import { broadcastChunks } from "./broadcast.js";
import { type MpiGroup, partOf } from "./group.js";

const OPERATION = "allgatherv";

export function allgatherv(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
): void {
  if (group.job.check) openChecked(group, type, counts);
  const { maxCount } = group.job;
  const intCounts = group.counts.array;
  const intDispls = group.displs.array;
  let total = 0;
  let farthestEnd = 0;
  let hasEmptyPiece = false;
  for (let r = 0; r < group.size; r++) {
    const count = counts[r] as number;
    const displ = displs[r] as number;
    total += count;
    if (displ + count > farthestEnd) farthestEnd = displ + count;
    if (count === 0) hasEmptyPiece = true;
    intCounts[r] = count;
    intDispls[r] = displ;
  }
  // The library need not wait for a rank that contributes nothing, but the contract requires it.
  if (hasEmptyPiece) meet(group);
  if (total > maxCount) gatherLong(group, send, recv, type, counts, displs);
  else if (farthestEnd <= maxCount) gather(group, send, recv, type);
  else gatherSideBySide(group, send, recv, type, displs);
}

/** Uses the counts and displacements in `group.counts` and `group.displs`. */
function gather(group: MpiGroup, send: CommArray, recv: CommArray, type: ArrayType): void {
  const datatype = group.datatype(type);
  const code = group.calls.allgatherv(
    group.send.of(send),
    send.length,
    datatype,
    group.recv.of(recv),
    group.counts.address,
    group.displs.address,
    datatype,
    group.comm,
  );
  if (code !== 0) group.fail(OPERATION, "MPI_Allgatherv", code);
}

function gatherSideBySide(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  displs: ArrayLike<number>,
): void {
  const counts = group.counts.array;
  const places = group.displs.array;
  let total = 0;
  for (let r = 0; r < group.size; r++) {
    places[r] = total;
    total += counts[r] as number;
  }
  const pieces = new type.constructorFunction(total);
  gather(group, send, pieces, type);
  for (let r = 0; r < group.size; r++) {
    const piece = partOf(pieces, places[r] as number, counts[r] as number);
    copyElements(piece, 0, recv, displs[r] as number, piece.length);
  }
}

function meet(group: MpiGroup): void {
  const code = group.calls.barrier(group.comm);
  if (code !== 0) group.fail(OPERATION, "MPI_Barrier", code);
}

/** All ranks must pass the same counts. Displacements may differ. */
function openChecked(group: MpiGroup, type: ArrayType, counts: ArrayLike<number>): void {
  let total = 0;
  for (let r = 0; r < group.size; r++) total += counts[r] as number;
  group.open(encodeCall(CALLS.allgatherv, type.code, 0, 0), total, hashCounts(counts));
}

function gatherLong(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
): void {
  const { large } = group.job.runtime.mpi;
  if (large !== undefined) {
    const datatype = group.datatype(type);
    const code = large.allgatherv(
      send,
      send.length,
      datatype,
      recv,
      BigInt64Array.from(Array.from(counts, BigInt)),
      BigInt64Array.from(Array.from(displs, BigInt)),
      datatype,
      group.comm,
    );
    if (code !== 0) group.fail(OPERATION, "MPI_Allgatherv_c", code);
    return;
  }
  copyElements(send, 0, recv, displs[group.rank] as number, send.length);
  for (let r = 0; r < group.size; r++) {
    const displ = displs[r] as number;
    const piece = recv.subarray(displ, displ + (counts[r] as number));
    broadcastChunks(group, piece, type, r, OPERATION);
  }
}
