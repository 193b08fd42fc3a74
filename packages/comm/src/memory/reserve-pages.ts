import { ftruncateSync } from "node:fs";
import { AllocationFailed } from "../errors/comm-error.js";
import type { FilePart, SharedMemorySystem } from "./system.js";

/** The pages of most machines. Parts that begin elsewhere share a page, which does no harm. */
export const PAGE_BYTES = 4096;

/**
 * Reserves parts of a file, so that no later access to them can fail for lack of memory. `total` is
 * the length of the file, for the error.
 *
 * Pages lie on the memory node of the process that reserves them. So every rank reserves what it
 * will write, and no rank touches what another has not reserved yet.
 */
export function reservePages(
  system: SharedMemorySystem,
  fd: number,
  parts: readonly FilePart[],
  total: number,
): void {
  try {
    for (const part of parts) if (part.bytes > 0) system.reserve(fd, part);
  } catch (error) {
    throw new AllocationFailed(
      total,
      system.freeBytes(),
      `${system.place} is full. ${system.roomAdvice}`,
      error,
    );
  }
}

/** The part of a file that one of `count` ranks reserves: whole pages, in the order of the ranks. */
export function equalPart(bytes: number, index: number, count: number): FilePart {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  const border = (i: number) => Math.min(Math.floor((pages * i) / count) * PAGE_BYTES, bytes);
  return { offset: border(index), bytes: border(index + 1) - border(index) };
}

/** Gives back all pages of a file. No process may touch memory that it has mapped of it. */
export function releasePages(fd: number): void {
  ftruncateSync(fd, 0);
}
