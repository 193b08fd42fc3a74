import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** What an MPI shares memory through. */
const SEGMENT = /vader|sm_segment|mpich/;

/** How often it is looked again whether a segment is still there, each time after so many milliseconds. */
const LOOKS = 50;
const PAUSE_MS = 200;

/** The leftovers that stay. The segment of a job that begins or ends meanwhile has a name for a moment without being mapped. */
export async function lastingMpiLeftovers(before: ReadonlySet<string>): Promise<string[]> {
  let found = mpiLeftovers(before);
  for (let look = 1; look < LOOKS && found.length > 0; look++) {
    await sleep(PAUSE_MS);
    const now = new Set(mpiLeftovers(before));
    found = found.filter((name) => now.has(name));
  }
  return found;
}

/** Segments in /dev/shm that no process has mapped, but for those that were there `before`. Jobs of others may run at the same time. */
export function mpiLeftovers(before: ReadonlySet<string> = new Set()): string[] {
  const segments = readdirSync("/dev/shm").filter((name) => SEGMENT.test(name));
  const found = segments.filter((name) => !before.has(name));
  if (found.length === 0) return [];
  const maps = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(mapsOf);
  return found.filter((name) => !maps.some((text) => text.includes(name)));
}

function mapsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, "latin1");
  } catch {
    return ""; // it has ended, or is not ours to read
  }
}
