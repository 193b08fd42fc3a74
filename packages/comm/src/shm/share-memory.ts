import { ARRAY_TYPES } from "../arrays.js";
import { AllocationFailed } from "../errors/comm-error.js";
import {
  abandonRegionFile,
  attempt,
  createRegionFile,
  mapRegionFile,
  releaseRegionFile,
} from "../memory/region-file.js";
import { equalPart } from "../memory/reserve-pages.js";
import { MAX_MAPPED_BYTES, SharedMemory } from "../memory/shared-memory.js";
import type { FilePart, RegionFile, SharedMemorySystem } from "../memory/system.js";
import { allreduce } from "./allreduce.js";
import { broadcast } from "./broadcast.js";
import type { Group } from "./group.js";

/**
 * Collective: memory that all ranks of the group have mapped, zeroed and reserved. If one rank
 * cannot get it, every rank throws `AllocationFailed` and the group stays usable.
 *
 * Each rank reserves the parts that it is going to fill: `parts`, or its share of equal parts in
 * the order of the ranks.
 */
export function shareMemory(
  system: SharedMemorySystem,
  group: Group,
  bytes: number,
  parts: readonly FilePart[] = [equalPart(bytes, group.rank, group.size)],
  scratchBytes = 0,
): SharedMemory {
  const offered = offer(system, group, bytes);
  if (offered instanceof AllocationFailed) throw offered;
  const mapped = attempt(() => mapRegionFile(system, offered, bytes, parts, scratchBytes));
  let allMapped: boolean;
  try {
    allMapped = haveAll(group, mapped instanceof SharedMemory);
    // Only if all ranks know: if this rank fails here, others may use the memory already.
    if (!allMapped) abandonRegionFile(offered);
  } finally {
    // Not earlier: the others open the file through the leader's descriptor, or by its name.
    releaseRegionFile(system, offered);
  }
  if (mapped instanceof SharedMemory && allMapped) return mapped;
  // If mapping failed because the leader is dead, this meeting fails.
  if (group.size > 1) group.meetAll();
  if (mapped instanceof AllocationFailed) throw mapped;
  const cause = mapped instanceof SharedMemory ? undefined : mapped;
  const reason =
    cause === undefined
      ? `another rank could not get its part: perhaps ${system.place} is full. ${system.roomAdvice}`
      : `${cause.message}.`;
  throw new AllocationFailed(bytes, system.freeBytes(), reason, cause);
}

/** The leader makes the file and tells the others where it is, or that there is no room. */
function offer(
  system: SharedMemorySystem,
  group: Group,
  bytes: number,
): RegionFile | AllocationFailed {
  if (bytes > MAX_MAPPED_BYTES) {
    return new AllocationFailed(bytes, MAX_MAPPED_BYTES, "a region must be smaller than 4 GiB.");
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
    // The leader may have died after making a file that this rank never heard of.
    else system.forgetRegionsOf(group.leaderPid);
    throw error;
  }
  if (made !== undefined) return made;
  const [pid = 0, handle = 0, available = 0] = message;
  if (pid !== 0) return { pid, handle };
  if (failure instanceof AllocationFailed) return failure;
  const reason =
    failure?.message ?? `${system.place} is full where rank 0 runs. ${system.roomAdvice}`;
  return new AllocationFailed(bytes, available, reason, failure);
}

/** Collective: whether `mine` is true on every rank. */
export function haveAll(group: Group, mine: boolean): boolean {
  if (group.size === 1) return mine;
  const all = new Int32Array(1);
  allreduce(group, Int32Array.of(mine ? 1 : 0), all, ARRAY_TYPES.Int32Array, "min");
  return all[0] === 1;
}
