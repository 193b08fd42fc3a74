import { ARRAY_TYPES } from "../arrays.js";
import { AllocationFailed } from "../errors/comm-error.js";
import type { RegionFile, SharedMemorySystem } from "../ffi/shared-memory-system.js";
import { allreduce } from "./allreduce.js";
import { broadcast } from "./broadcast.js";
import type { Group } from "./group.js";
import { attempt, createRegionFile, mapRegionFile, releaseRegionFile } from "./region-file.js";
import { MAX_MAPPED_BYTES, SharedMemory } from "./shared-memory.js";

/**
 * Collective: memory that all ranks of the group have mapped, zeroed and reserved. Throws
 * `AllocationFailed` on every rank if one of them cannot have it; the group stays whole.
 */
export function shareMemory(
  system: SharedMemorySystem,
  group: Group,
  bytes: number,
  scratchBytes = 0,
): SharedMemory {
  const offered = offer(system, group, bytes);
  if (offered instanceof AllocationFailed) throw offered;
  const mapped = attempt(() => mapRegionFile(system, offered, bytes, scratchBytes));
  let everybody: boolean;
  try {
    everybody = haveAll(group, mapped instanceof SharedMemory);
  } finally {
    // Not before: the others open the file through the leader's descriptor, or by its name.
    releaseRegionFile(system, offered);
  }
  if (mapped instanceof SharedMemory && everybody) return mapped;
  // Was the leader's file not to be opened because the leader is dead? Then this meeting fails.
  if (group.size > 1) group.meetAll();
  const cause = mapped instanceof SharedMemory ? undefined : mapped;
  const reason = cause === undefined ? "another rank could not map it." : `${cause.message}.`;
  throw new AllocationFailed(bytes, system.freeBytes(), reason, cause);
}

/** The leader makes the file and tells the others where it is, or that there is no room. */
function offer(
  system: SharedMemorySystem,
  group: Group,
  bytes: number,
): RegionFile | AllocationFailed {
  if (bytes > MAX_MAPPED_BYTES) {
    return new AllocationFailed(bytes, MAX_MAPPED_BYTES, "a region has at most 4 GiB.");
  }
  const message = new Float64Array(3);
  let failure: Error | undefined;
  let made: RegionFile | undefined;
  if (group.rank === 0) {
    const outcome = attempt(() => createRegionFile(system, bytes));
    if (outcome instanceof Error) failure = outcome;
    else made = outcome;
    message.set(made === undefined ? [0, 0, system.freeBytes()] : [process.pid, made.handle, 0]);
  }
  try {
    if (group.size > 1) broadcast(group, message, ARRAY_TYPES.Float64Array, 0);
  } catch (error) {
    if (made !== undefined) releaseRegionFile(system, made);
    // The leader may be dead, and only it knows what it has made.
    else system.forgetRegionsOf(group.leaderPid);
    throw error;
  }
  if (made !== undefined) return made;
  const [pid = 0, handle = 0, available = 0] = message;
  if (pid !== 0) return { pid, handle };
  if (failure instanceof AllocationFailed) return failure;
  const reason =
    failure?.message ?? `${system.place} is full on rank 0's side. ${system.roomAdvice}`;
  return new AllocationFailed(bytes, available, reason, failure);
}

/** Collective: whether it is so on every rank. */
export function haveAll(group: Group, mine: boolean): boolean {
  if (group.size === 1) return mine;
  const all = new Int32Array(1);
  allreduce(group, Int32Array.of(mine ? 1 : 0), all, ARRAY_TYPES.Int32Array, "min");
  return all[0] === 1;
}
