/** The file behind a region: the leader makes it, the others open it as the leader tells them. */
import { closeSync } from "node:fs";
import type { RegionFile, SharedMemorySystem } from "../ffi/shared-memory-system.js";
import { reservePages } from "./segment.js";
import { SharedMemory } from "./shared-memory.js";

/** Makes a file of `bytes` zero bytes, all reserved; throws `AllocationFailed` if there is no room. */
export function createRegionFile(system: SharedMemorySystem, bytes: number): RegionFile {
  const file = system.createRegion();
  try {
    if (bytes > 0) reservePages(system, file.fd, bytes);
    return file;
  } catch (error) {
    releaseRegionFile(system, file);
    throw error;
  }
}

/** Maps the file, as the process that has made it or as another. */
export function mapRegionFile(
  system: SharedMemorySystem,
  file: RegionFile,
  bytes: number,
  scratchBytes = 0,
): SharedMemory {
  const fd = file.fd ?? system.openRegion(file);
  try {
    return new SharedMemory(system, fd, bytes, scratchBytes);
  } finally {
    if (file.fd === undefined) closeSync(fd);
  }
}

/** Nobody will open the file any more; what is mapped stays. */
export function releaseRegionFile(system: SharedMemorySystem, file: RegionFile): void {
  if (file.fd !== undefined) closeSync(file.fd);
  system.forgetRegion(file);
}

/** What an action gives, or why it failed: all ranks have to hear of it before one of them throws. */
export function attempt<T>(action: () => T): T | Error {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
