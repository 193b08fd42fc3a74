import { statfs } from "node:fs/promises";
import { reasonOf } from "../errors/reason-of.js";
import type { SharedMemoryInfo } from "./info.js";

const MEBIBYTE = 2 ** 20;

/**
 * Containers get 64 MiB by default, which is too little for large regions. Twice that is still
 * little.
 */
const SMALL_BYTES = 128 * MEBIBYTE;

/** Describes the file system that `shm_open` uses. Only on Linux is it visible as a directory. */
export async function describeSharedMemory(path = "/dev/shm"): Promise<SharedMemoryInfo> {
  if (process.platform !== "linux") {
    return { path, present: false, sizeBytes: null, freeBytes: null, warning: null };
  }
  try {
    const { bsize, blocks, bavail } = await statfs(path);
    const sizeBytes = bsize * blocks;
    const freeBytes = bsize * bavail;
    const warning = sharedMemoryWarning(sizeBytes, freeBytes);
    return { path, present: true, sizeBytes, freeBytes, warning };
  } catch (error) {
    const reason = reasonOf(error);
    const warning = `${path} cannot be used (${reason}): mount a tmpfs there (mount -t tmpfs tmpfs ${path}).`;
    return { path, present: false, sizeBytes: null, freeBytes: null, warning };
  }
}

/** The warning for a shared-memory file system of this size; `null` if there is none. */
function sharedMemoryWarning(sizeBytes: number, freeBytes: number): string | null {
  if (sizeBytes < SMALL_BYTES) {
    return `/dev/shm is small (${mebibytes(sizeBytes)}): in a container give it more, as in docker run --shm-size=1g; elsewhere mount -o remount,size=1g /dev/shm.`;
  }
  if (freeBytes < SMALL_BYTES) {
    return `/dev/shm is nearly full (${mebibytes(freeBytes)} free of ${mebibytes(sizeBytes)}): look for files that earlier jobs have left there.`;
  }
  return null;
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / MEBIBYTE)} MiB`;
}
