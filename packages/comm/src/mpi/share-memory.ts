/**
 * Memory for a region: on each machine the leader makes a file without a name and tells the others
 * where it is. Nothing of it is MPI's: windows over shared memory have failed in many releases.
 */
import { AllocationFailed } from "../errors/comm-error.js";
import type { RegionFile, SharedMemorySystem } from "../ffi/shared-memory-system.js";
import { attempt, createRegionFile, mapRegionFile, releaseRegionFile } from "../shm/region-file.js";
import { MAX_MAPPED_BYTES, type SharedMemory } from "../shm/shared-memory.js";
import type { MpiGroup } from "./group.js";

const OPERATION = "createSharedRegion";

/** What each rank tells: its process and its file, if it made one; else what its machine has left. */
const OFFER = { pid: 0, handle: 1, available: 2, numbers: 3 } as const;

/**
 * Collective: memory that the ranks of this machine have mapped, zeroed and reserved. Throws
 * `AllocationFailed` on every rank if one of them cannot have it; the group stays whole.
 */
export function shareMemory(
  system: SharedMemorySystem,
  group: MpiGroup,
  leaders: readonly number[],
  bytes: number,
): SharedMemory {
  if (bytes > MAX_MAPPED_BYTES) {
    throw new AllocationFailed(bytes, MAX_MAPPED_BYTES, "a region has at most 4 GiB.");
  }
  const leader = leaders[group.rank] as number;
  const made = leader === group.rank ? attempt(() => createRegionFile(system, bytes)) : undefined;
  const mine = new Float64Array(OFFER.numbers);
  if (made instanceof Error) mine[OFFER.available] = freeBytes(system);
  else if (made !== undefined) mine.set([made.pid, made.handle]);

  const offers = group.exchange(OPERATION, mine);
  const poor = leaders.find((r) => offers[r * OFFER.numbers + OFFER.pid] === 0);
  if (poor !== undefined) {
    if (made instanceof AllocationFailed) throw made;
    if (made !== undefined && !(made instanceof Error)) releaseRegionFile(system, made);
    const available = offers[poor * OFFER.numbers + OFFER.available] as number;
    const full = `${system.place} is full where rank ${poor} runs. ${system.roomAdvice}`;
    const cause = made instanceof Error ? made : undefined;
    throw new AllocationFailed(bytes, available, cause ? `${cause.message}.` : full, cause);
  }

  const file = ownOrOffered(made, offers, leader);
  const mapped = attempt(() => mapRegionFile(system, file, bytes));
  const outcomes = group.exchange(OPERATION, Float64Array.of(mapped instanceof Error ? 0 : 1));
  // Not before: the others open the file through the leader's descriptor, or by its name.
  releaseRegionFile(system, file);
  const unlucky = outcomes.indexOf(0);
  if (!(mapped instanceof Error) && unlucky === -1) return mapped;
  const reason =
    mapped instanceof Error ? `${mapped.message}.` : `rank ${unlucky} could not map it.`;
  throw new AllocationFailed(bytes, freeBytes(system), reason, mapped);
}

function ownOrOffered(
  made: RegionFile | Error | undefined,
  offers: Float64Array,
  leader: number,
): RegionFile {
  if (made !== undefined && !(made instanceof Error)) return made;
  const at = leader * OFFER.numbers;
  return { pid: offers[at + OFFER.pid] as number, handle: offers[at + OFFER.handle] as number };
}

function freeBytes(system: SharedMemorySystem): number {
  const bytes = attempt(() => system.freeBytes());
  return typeof bytes === "number" ? bytes : 0;
}
