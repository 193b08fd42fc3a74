/**
 * Allgatherv: `MPI_Allgatherv`. If all pieces together have more elements than an `int` can count it goes by
 * `MPI_Allgatherv_c`, and where the library has none, every piece is broadcast in chunks: of all
 * calls, only those have no displacement that could overflow.
 *
 * All ranks must go the same way, so it depends on the counts alone: displacements are each rank's own. A rank
 * whose displacements are too large for a call that the others can make gathers the pieces side by side and then puts
 * them in their places.
 */
import { type ArrayType, type CommArray, copyElements } from "../arrays.js";
import { CALLS, encodeCall, stir } from "../group/fingerprint.js";
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
  if (group.shared.check) openChecked(group, type, counts);
  const { maxCount } = group.shared;
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
  // The library does not wait for a rank that contributes nothing; the contract does.
  if (hasEmptyPiece) meet(group);
  if (total > maxCount) gatherLong(group, send, recv, type, counts, displs);
  else if (farthestEnd <= maxCount) gather(group, send, recv, type);
  else gatherSideBySide(group, send, recv, type, displs);
}

/** By the counts and displacements that the group holds. */
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
    copyElements(piece, recv, displs[r] as number);
  }
}

function meet(group: MpiGroup): void {
  const code = group.calls.barrier(group.comm);
  if (code !== 0) group.fail(OPERATION, "MPI_Barrier", code);
}

/** The counts must agree; where the pieces go is each rank's own affair. */
function openChecked(group: MpiGroup, type: ArrayType, counts: ArrayLike<number>): void {
  let total = 0;
  let hash = 0;
  for (let r = 0; r < group.size; r++) {
    const count = counts[r] as number;
    total += count;
    hash = stir(stir(hash, count | 0), (count / 2 ** 32) | 0);
  }
  group.open(encodeCall(CALLS.allgatherv, type.code, 0, 0), total, hash);
}

function gatherLong(
  group: MpiGroup,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
): void {
  const { large } = group.shared.runtime.mpi;
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
  copyElements(send, recv, displs[group.rank] as number);
  for (let r = 0; r < group.size; r++) {
    const displ = displs[r] as number;
    const piece = recv.subarray(displ, displ + (counts[r] as number));
    broadcastChunks(group, piece, type, r, OPERATION);
  }
}
