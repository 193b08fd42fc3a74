import { closeSync } from "node:fs";
import { Posix } from "../ffi/posix.js";
import type { BackendProbe } from "../select/backend.js";
import { Layout } from "./layout.js";
import { createRegionFile } from "./region-file.js";
import { SharedMemory } from "./shared-memory.js";

/** Reserves and maps what two ranks would need, in a file without a name, and lets it go again. */
export async function trySharing(): Promise<BackendProbe> {
  const { totalBytes } = new Layout(2);
  try {
    const posix = await Posix.load();
    const fd = createRegionFile(posix, totalBytes);
    try {
      new SharedMemory(posix, fd, totalBytes);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return { usable: false, details: error instanceof Error ? error.message : String(error) };
  }
  const perRank = Math.round(totalBytes / 2 / 1024);
  return { usable: true, details: `POSIX shared memory in /dev/shm, ${perRank} KiB a rank` };
}
