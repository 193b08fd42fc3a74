import { closeSync } from "node:fs";
import { ARRAY_TYPES } from "../arrays.js";
import { AllocationFailed } from "../errors/comm-error.js";
import type { Posix } from "../ffi/posix.js";
import { allreduce } from "./allreduce.js";
import { broadcast } from "./broadcast.js";
import type { Group } from "./group.js";
import { createRegionFile, openRegionFile } from "./region-file.js";
import { availableBytes } from "./segment.js";
import { MAX_MAPPED_BYTES, SharedMemory } from "./shared-memory.js";

/**
 * Collective: memory that all ranks of the group have mapped, zeroed and reserved. Throws
 * `AllocationFailed` on every rank if one of them cannot have it; the group stays whole.
 */
export function shareMemory(
  posix: Posix,
  group: Group,
  bytes: number,
  scratchBytes = 0,
): SharedMemory {
  const offered = offer(posix, group, bytes);
  if (offered instanceof AllocationFailed) throw offered;
  const mapped = attempt(() => {
    const fd = group.rank === 0 ? offered.fd : openRegionFile(offered.pid, offered.fd);
    try {
      return new SharedMemory(posix, fd, bytes, scratchBytes);
    } finally {
      if (group.rank !== 0) closeSync(fd);
    }
  });
  // The leader's descriptor must stay open until everybody has opened the file through it.
  const everybody = haveAll(group, mapped instanceof SharedMemory);
  if (group.rank === 0) closeSync(offered.fd);
  if (mapped instanceof SharedMemory && everybody) return mapped;
  // Was the leader's file not to be opened because the leader is dead? Then this meeting fails.
  if (group.size > 1) group.meetAll();
  const cause = mapped instanceof SharedMemory ? undefined : mapped;
  const reason = cause === undefined ? "another rank could not map it." : `${cause.message}.`;
  throw new AllocationFailed(bytes, availableBytes(), reason, cause);
}

/** The leader makes the file and tells the others where it is, or that there is no room. */
function offer(
  posix: Posix,
  group: Group,
  bytes: number,
): { pid: number; fd: number } | AllocationFailed {
  if (bytes > MAX_MAPPED_BYTES) {
    return new AllocationFailed(bytes, MAX_MAPPED_BYTES, "a region has at most 4 GiB.");
  }
  const message = new Float64Array(3);
  let failure: Error | undefined;
  if (group.rank === 0) {
    const made = attempt(() => createRegionFile(posix, bytes));
    if (made instanceof Error) failure = made;
    message.set(made instanceof Error ? [0, 0, availableBytes()] : [process.pid, made, 0]);
  }
  if (group.size > 1) broadcast(group, message, ARRAY_TYPES.Float64Array, 0);
  const [pid = 0, fd = 0, available = 0] = message;
  if (pid !== 0) return { pid, fd };
  if (failure instanceof AllocationFailed) return failure;
  const reason =
    failure?.message ?? "/dev/shm is full on rank 0's side. In a container, raise --shm-size.";
  return new AllocationFailed(bytes, available, reason, failure);
}

/** Collective: whether it is so on every rank. */
export function haveAll(group: Group, mine: boolean): boolean {
  if (group.size === 1) return mine;
  const all = new Int32Array(1);
  allreduce(group, Int32Array.of(mine ? 1 : 0), all, ARRAY_TYPES.Int32Array, "min");
  return all[0] === 1;
}

function attempt<T>(action: () => T): T | Error {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
