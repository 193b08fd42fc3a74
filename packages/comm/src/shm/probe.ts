import { reasonOf } from "../errors/reason-of.js";
import { loadSystem } from "../memory/load-system.js";
import { createRegionFile, mapRegionFile, releaseRegionFile } from "../memory/region-file.js";
import type { BackendProbe } from "../select/backend.js";
import { Layout } from "./layout.js";

/** Reserves and maps as much memory as two ranks need, in a file of its own, and releases it. */
export async function trySharing(): Promise<BackendProbe> {
  const { totalBytes } = new Layout(2);
  let description: string;
  try {
    const system = await loadSystem();
    description = system.description;
    const file = createRegionFile(system, totalBytes);
    try {
      mapRegionFile(system, file, totalBytes, [{ offset: 0, bytes: totalBytes }]);
    } finally {
      releaseRegionFile(system, file);
    }
  } catch (error) {
    return { usable: false, details: reasonOf(error) };
  }
  const perRank = Math.round(totalBytes / 2 / 1024);
  return { usable: true, details: `${description}, ${perRank} KiB per rank` };
}
