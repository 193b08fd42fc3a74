/**
 * Where a rank is: which ranks it can share memory with, and which cores it may use. Ranks exchange
 * this once. MPI_Comm_split_type could answer the first question, but some releases answer it
 * wrongly.
 */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";

const KEY_BYTES = 32;
const CORES_BYTES = 128;

/** The length of an encoded place. */
export const PLACE_BYTES = KEY_BYTES + CORES_BYTES;

/** The place of this process, encoded. Ranks with equal keys can share memory. */
export function encodePlace(rank: number): Uint8Array {
  const place = new Uint8Array(PLACE_BYTES);
  place.set(createHash("sha256").update(machineKey(rank)).digest());
  place.set(allowedCores(), KEY_BYTES);
  return place;
}

/** What follows from the places of all ranks, the same on each of them. */
export interface Neighbourhood {
  /** For each rank, the lowest rank that shares memory with it. */
  readonly leaders: readonly number[];
  /** Whether any machine has more ranks than cores. */
  readonly isCrowded: boolean;
}

/** `places` holds the encoded places of all ranks, one after the other. */
export function surveyPlaces(places: Uint8Array, size: number): Neighbourhood {
  const byKey = new Map<string, { leader: number; ranks: number; cores: Uint8Array }>();
  const leaders: number[] = [];
  for (let r = 0; r < size; r++) {
    const place = places.subarray(r * PLACE_BYTES, (r + 1) * PLACE_BYTES);
    const key = Buffer.from(place.subarray(0, KEY_BYTES)).toString("hex");
    const machine = byKey.get(key) ?? { leader: r, ranks: 0, cores: new Uint8Array(CORES_BYTES) };
    byKey.set(key, machine);
    machine.ranks++;
    // Each rank may be bound to one core. Together they have all of these.
    for (let i = 0; i < CORES_BYTES; i++) {
      machine.cores[i] = (machine.cores[i] as number) | (place[KEY_BYTES + i] as number);
    }
    leaders.push(machine.leader);
  }
  const isCrowded = [...byKey.values()].some(({ ranks, cores }) => ranks > countBits(cores));
  return { leaders, isCrowded };
}

/**
 * Ranks can open each other's memory if they run on the same booted system and have the same
 * process namespace, the same /dev/shm and the same user. On platforms other than Linux, every rank
 * is alone.
 */
function machineKey(rank: number): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const processes = readlinkSync("/proc/self/ns/pid");
    const { dev, ino } = statSync("/dev/shm");
    return [boot, processes, dev, ino, process.getuid?.()].join(" ");
  } catch {
    return `rank ${rank} alone`;
  }
}

/** One bit for each core that this process may use. */
function allowedCores(): Uint8Array {
  const cores = new Uint8Array(CORES_BYTES);
  const mask = /^Cpus_allowed:\s*([0-9a-f,]+)$/m.exec(readStatus())?.[1]?.replaceAll(",", "");
  if (mask === undefined) {
    for (let i = 0; i < Math.min(availableParallelism(), CORES_BYTES * 8); i++) {
      cores[i >> 3] = (cores[i >> 3] as number) | (1 << (i & 7));
    }
    return cores;
  }
  // Hexadecimal digits. The last one has cores 0 to 3.
  for (let i = 0; i < Math.min(mask.length, CORES_BYTES * 2); i++) {
    const digit = Number.parseInt(mask[mask.length - 1 - i] as string, 16);
    cores[i >> 1] = (cores[i >> 1] as number) | (digit << (4 * (i & 1)));
  }
  return cores;
}

function readStatus(): string {
  try {
    return readFileSync("/proc/self/status", "utf8");
  } catch {
    return "";
  }
}

function countBits(bytes: Uint8Array): number {
  let bits = 0;
  for (let byte of bytes) for (; byte !== 0; byte &= byte - 1) bits++;
  return bits;
}
