/** The file behind a region: the leader makes it and tells the others how to open it. */
import { closeSync, fstatSync, ftruncateSync } from "node:fs";
import { releasePages, reservePages } from "./reserve-pages.js";
import { SharedMemory } from "./shared-memory.js";
import type { FilePart, RegionFile, SharedMemorySystem } from "./system.js";

/** Makes a file of `bytes` zero bytes. Its pages are still to be reserved. */
export function createRegionFile(system: SharedMemorySystem, bytes: number): Required<RegionFile> {
  const file = system.createRegion();
  try {
    ftruncateSync(file.fd, bytes);
    return file;
  } catch (error) {
    releaseRegionFile(system, file);
    throw error;
  }
}

/**
 * Maps the file, in the process that made it or in another one, and reserves `parts` of it. The
 * other parts must not be touched before others have reserved them. Throws `AllocationFailed` if
 * there is no room.
 */
export function mapRegionFile(
  system: SharedMemorySystem,
  file: RegionFile,
  bytes: number,
  parts: readonly FilePart[],
  scratchBytes = 0,
): SharedMemory {
  const fd = file.fd ?? system.openRegion(file);
  try {
    if (file.fd === undefined) checkOpened(fd, bytes);
    reservePages(system, fd, parts, bytes);
    return new SharedMemory(system, fd, bytes, scratchBytes);
  } finally {
    if (file.fd === undefined) closeSync(fd);
  }
}

/**
 * Makes sure that this is the file which was offered. The process may have ended, and its number or its
 * descriptor may stand for something else by now.
 */
function checkOpened(fd: number, bytes: number): void {
  const { size, uid } = fstatSync(fd);
  if (uid !== process.getuid?.()) {
    throw new Error(`the memory that was offered belongs to another user (uid ${uid})`);
  }
  if (size !== bytes) {
    throw new Error(`the memory that was offered has ${size} bytes instead of ${bytes}`);
  }
}

/** If not all ranks got the file: gives back its pages, even if some ranks have mapped it. */
export function abandonRegionFile({ fd }: RegionFile): void {
  if (fd !== undefined) releasePages(fd);
}

/** Closes and removes the file once no rank will open it again. Mapped memory stays. */
export function releaseRegionFile(system: SharedMemorySystem, file: RegionFile): void {
  if (file.fd !== undefined) closeSync(file.fd);
  system.forgetRegion(file);
}

/**
 * The result of an action, or its error. All ranks must hear of an error before one of them throws.
 */
export function attempt<T>(action: () => T): T | Error {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
