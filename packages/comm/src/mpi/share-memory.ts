/**
 * Memory for a region: on each machine, the leader makes a file and tells the others how to open
 * it. This does not use MPI's own shared-memory windows, which have failed in many releases.
 */
import { AllocationFailed } from "../errors/comm-error.js";
import {
  abandonRegionFile,
  attempt,
  createRegionFile,
  mapRegionFile,
  releaseRegionFile,
} from "../memory/region-file.js";
import { equalPart } from "../memory/reserve-pages.js";
import { MAX_MAPPED_BYTES, type SharedMemory } from "../memory/shared-memory.js";
import type { RegionFile, SharedMemorySystem } from "../memory/system.js";
import type { MpiGroup } from "./group.js";

const OPERATION = "createSharedRegion";

/**
 * What each rank announces: its process and its file if it made one; if it could not, the free
 * bytes on its machine.
 */
const OFFER = { pid: 0, handle: 1, available: 2, numbers: 3 } as const;

/**
 * Collective: memory that the ranks of this machine have mapped, zeroed and reserved. If one rank
 * of the group cannot get it, every rank throws `AllocationFailed` and the group stays usable.
 */
export function shareMemory(
  system: SharedMemorySystem,
  group: MpiGroup,
  leaders: readonly number[],
  bytes: number,
): SharedMemory {
  if (bytes > MAX_MAPPED_BYTES) {
    throw new AllocationFailed(bytes, MAX_MAPPED_BYTES, "a region must be smaller than 4 GiB.");
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
  // Each rank of the machine reserves an equal part: it lies on the node of the one that fills it.
  const local = [...leaders.keys()].filter((r) => leaders[r] === leader);
  const part = equalPart(bytes, local.indexOf(group.rank), local.length);
  const mapped = attempt(() => mapRegionFile(system, file, bytes, [part]));
  const outcomes = group.exchange(OPERATION, Float64Array.of(mapped instanceof Error ? 0 : 1));
  if (outcomes.includes(0)) abandonRegionFile(file);
  // Not earlier: the others open the file through the leader's descriptor, or by its name.
  releaseRegionFile(system, file);
  const unlucky = outcomes.indexOf(0);
  if (!(mapped instanceof Error) && unlucky === -1) return mapped;
  if (mapped instanceof AllocationFailed) throw mapped;
  const reason =
    mapped instanceof Error
      ? `${mapped.message}.`
      : `rank ${unlucky} could not get its part: perhaps ${system.place} is full there. ${system.roomAdvice}`;
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
