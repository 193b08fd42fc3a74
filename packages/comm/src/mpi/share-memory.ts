/**
 * Memory for a region: on each machine the leader makes a file without a name and tells the others
 * where it is. Nothing of it is MPI's: windows over shared memory have failed in many releases.
 */
import { closeSync } from "node:fs";
import { AllocationFailed } from "../errors/comm-error.js";
import type { Posix } from "../ffi/posix.js";
import { createRegionFile, openRegionFile } from "../shm/region-file.js";
import { availableBytes } from "../shm/segment.js";
import { MAX_MAPPED_BYTES, SharedMemory } from "../shm/shared-memory.js";
import type { MpiGroup } from "./group.js";

const OPERATION = "createSharedRegion";

/** What each rank tells: its process and its file, if it made one; else what its machine has left. */
const OFFER = { pid: 0, fd: 1, available: 2, numbers: 3 } as const;

/**
 * Collective: memory that the ranks of this machine have mapped, zeroed and reserved. Throws
 * `AllocationFailed` on every rank if one of them cannot have it; the group stays whole.
 */
export function shareMemory(
  posix: Posix,
  group: MpiGroup,
  leaders: readonly number[],
  bytes: number,
): SharedMemory {
  if (bytes > MAX_MAPPED_BYTES) {
    throw new AllocationFailed(bytes, MAX_MAPPED_BYTES, "a region has at most 4 GiB.");
  }
  const leader = leaders[group.rank] as number;
  const made = leader === group.rank ? attempt(() => createRegionFile(posix, bytes)) : undefined;
  const mine = new Float64Array(OFFER.numbers);
  if (typeof made === "number") mine.set([process.pid, made]);
  else if (made !== undefined) mine[OFFER.available] = freeBytes();

  const offers = group.exchange(OPERATION, mine);
  const poor = leaders.find((r) => offers[r * OFFER.numbers + OFFER.pid] === 0);
  if (poor !== undefined) {
    if (typeof made === "number") closeSync(made);
    if (made instanceof AllocationFailed) throw made;
    const available = offers[poor * OFFER.numbers + OFFER.available] as number;
    const reason = made instanceof Error ? `${made.message}.` : fullOn(poor);
    throw new AllocationFailed(bytes, available, reason, made);
  }

  const pid = offers[leader * OFFER.numbers + OFFER.pid] as number;
  const fd = offers[leader * OFFER.numbers + OFFER.fd] as number;
  const mapped = attempt(() => mapOffered(posix, made, pid, fd, bytes));
  // The leader's descriptor must stay open until everybody has opened the file through it.
  const outcomes = group.exchange(OPERATION, Float64Array.of(mapped instanceof Error ? 0 : 1));
  if (typeof made === "number") closeSync(made);
  const unlucky = outcomes.indexOf(0);
  if (!(mapped instanceof Error) && unlucky === -1) return mapped;
  const reason =
    mapped instanceof Error ? `${mapped.message}.` : `rank ${unlucky} could not map it.`;
  throw new AllocationFailed(bytes, freeBytes(), reason, mapped);
}

function mapOffered(
  posix: Posix,
  made: number | Error | undefined,
  pid: number,
  fd: number,
  bytes: number,
): SharedMemory {
  if (typeof made === "number") return new SharedMemory(posix, made, bytes);
  const opened = openRegionFile(pid, fd);
  try {
    return new SharedMemory(posix, opened, bytes);
  } finally {
    closeSync(opened);
  }
}

function fullOn(rank: number): string {
  return `/dev/shm is full where rank ${rank} runs. In a container, raise --shm-size.`;
}

function freeBytes(): number {
  const bytes = attempt(availableBytes);
  return typeof bytes === "number" ? bytes : 0;
}

function attempt<T>(action: () => T): T | Error {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
