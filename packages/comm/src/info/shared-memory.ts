import { statfs } from "node:fs/promises";
import type { SharedMemoryInfo } from "./info.js";

const MEBIBYTE = 2 ** 20;

/** What containers get by default (64 MiB) is too little for large regions; twice that is meagre. */
const SMALL_BYTES = 128 * MEBIBYTE;

/** Looks at the file system behind `shm_open`. Only Linux has it as a directory. */
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
    const reason = error instanceof Error ? error.message : String(error);
    const warning = `${path} cannot be used (${reason}): mount a tmpfs there (mount -t tmpfs tmpfs ${path}).`;
    return { path, present: false, sizeBytes: null, freeBytes: null, warning };
  }
}

/** What to tell the owner of a shared-memory file system of this size; `null` if all is well. */
export function sharedMemoryWarning(sizeBytes: number, freeBytes: number): string | null {
  if (sizeBytes < SMALL_BYTES) {
    return `/dev/shm is small (${mebibytes(sizeBytes)}): in a container give it more, as in docker run --shm-size=1g; elsewhere mount -o remount,size=1g /dev/shm.`;
  }
  if (freeBytes < SMALL_BYTES) {
    return `/dev/shm is nearly full (${mebibytes(freeBytes)} free of ${mebibytes(sizeBytes)}): look for files that ended jobs left there.`;
  }
  return null;
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / MEBIBYTE)} MiB`;
}
