import { loadSystem } from "../ffi/load-system.js";
import type { BackendProbe } from "../select/backend.js";
import { Layout } from "./layout.js";
import { createRegionFile, mapRegionFile, releaseRegionFile } from "./region-file.js";

/** Reserves and maps what two ranks would need, in a file of its own, and lets it go again. */
export async function trySharing(): Promise<BackendProbe> {
  const { totalBytes } = new Layout(2);
  let description: string;
  try {
    const system = await loadSystem();
    description = system.description;
    const file = createRegionFile(system, totalBytes);
    try {
      mapRegionFile(system, file, totalBytes);
    } finally {
      releaseRegionFile(system, file);
    }
  } catch (error) {
    return { usable: false, details: error instanceof Error ? error.message : String(error) };
  }
  const perRank = Math.round(totalBytes / 2 / 1024);
  return { usable: true, details: `${description}, ${perRank} KiB a rank` };
}
