import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { type MpiGroup, partOf } from "./group.js";

/**
 * Broadcast calls `MPI_Bcast`. An array with more elements than an `int` can count goes through
 * `MPI_Bcast_c`, or in chunks where the library lacks that.
 */
export function broadcast(group: MpiGroup, buf: CommArray, type: ArrayType, root: number): void {
  group.open(encodeCall(CALLS.broadcast, type.code, 0, root), buf.length);
  if (buf.length <= group.job.maxCount) broadcastPart(group, buf, type, root, "broadcast");
  else broadcastLong(group, buf, type, root);
}

function broadcastLong(group: MpiGroup, buf: CommArray, type: ArrayType, root: number): void {
  const { large } = group.job.runtime.mpi;
  if (large === undefined) {
    broadcastChunks(group, buf, type, root, "broadcast");
    return;
  }
  const code = large.broadcast(buf, buf.length, group.datatype(type), root, group.comm);
  if (code !== 0) group.fail("broadcast", "MPI_Bcast_c", code);
}

/** Broadcasts an array of any length in chunks that an `int` can count. */
export function broadcastChunks(
  group: MpiGroup,
  array: CommArray,
  type: ArrayType,
  root: number,
  operation: string,
): void {
  const { maxCount } = group.job;
  for (let at = 0; at < array.length; at += maxCount) {
    const chunk = partOf(array, at, Math.min(maxCount, array.length - at));
    broadcastPart(group, chunk, type, root, operation);
  }
}

function broadcastPart(
  group: MpiGroup,
  part: CommArray,
  type: ArrayType,
  root: number,
  operation: string,
): void {
  const code = group.calls.broadcast(
    group.recv.of(part),
    part.length,
    group.datatype(type),
    root,
    group.comm,
  );
  if (code !== 0) group.fail(operation, "MPI_Bcast", code);
}
