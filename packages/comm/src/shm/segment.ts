/**
 * The life of the named segment through which ranks find each other: made by rank 0, opened by the
 * others, nameless as soon as all are in.
 *
 * Every rank holds a lock on the byte of its number for as long as it lives. So a segment whose byte 0
 * is not locked belongs to nobody: its job was killed while it started.
 */
import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { InitializationFailed } from "../errors/backend-error.js";
import { AllocationFailed } from "../errors/comm-error.js";
import type { SharedMemorySystem } from "../ffi/shared-memory-system.js";
import { codeOf } from "../ffi/system-call-error.js";
import { HEADER, MAGIC, VERSION } from "./layout.js";

const { O_CREAT, O_EXCL, O_RDWR } = constants;

/** A creator locks its segment right after making it; until then it looks abandoned. */
const GRACE_MS = 200;

/** Makes the segment, as rank 0, with all its pages. Replaces one that a killed job has left. */
export async function createSegment(
  system: SharedMemorySystem,
  name: string,
  bytes: number,
): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    let fd: number;
    try {
      fd = system.openNamed(name, O_CREAT | O_EXCL | O_RDWR, 0o600);
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || attempt >= 3) throw cannotOpen(system, name, error);
      await removeIfAbandoned(system, name);
      continue;
    }
    try {
      system.lockByte(fd, 0);
      reservePages(system, fd, bytes);
      return fd;
    } catch (error) {
      system.unlinkNamed(name);
      closeSync(fd);
      throw error;
    }
  }
}

/** Reserves pages, so that no access can ever fault for lack of them. */
export function reservePages(system: SharedMemorySystem, fd: number, bytes: number): void {
  try {
    system.reserve(fd, bytes);
  } catch (error) {
    throw new AllocationFailed(
      bytes,
      system.freeBytes(),
      `${system.place} is full. ${system.roomAdvice}`,
      error,
    );
  }
}

/** What a segment's first bytes tell. */
export interface SegmentHeader {
  readonly version: number;
  readonly size: number;
  readonly totalBytes: number;
  readonly firstStep: number;
}

/** Opens rank 0's segment; `undefined` if there is none yet, or only an abandoned or unfinished one. */
export function openSegment(
  system: SharedMemorySystem,
  name: string,
): { fd: number; header: SegmentHeader } | undefined {
  let fd: number;
  try {
    fd = system.openNamed(name, O_RDWR, 0);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw cannotOpen(system, name, error);
  }
  try {
    checkOwner(fd, name);
    const header = system.isByteLocked(fd, 0) ? readHeader(fd) : undefined;
    if (header !== undefined) {
      checkHeader(header, fstatSync(fd).size, name);
      return { fd, header };
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  return undefined;
}

function checkHeader(header: SegmentHeader, bytes: number, name: string): void {
  if (header.version !== VERSION) {
    throw new InitializationFailed(
      "shm",
      `rank 0 speaks version ${header.version} of the protocol, this rank version ${VERSION}. Run the same release on all ranks.`,
    );
  }
  if (header.totalBytes !== bytes) {
    throw new InitializationFailed(
      "shm",
      `the segment ${name} has ${bytes} bytes, but its header says ${header.totalBytes}: it was tampered with. Choose another name.`,
    );
  }
}

/** Reads the header; `undefined` if it is not complete, or not one of ours. */
function readHeader(fd: number): SegmentHeader | undefined {
  const words = new Int32Array(16);
  if (readSync(fd, words, 0, words.byteLength, 0) < words.byteLength) return undefined;
  if (words[HEADER.ready] !== 1) return undefined;
  // Some processors read in any order: only what is read after `ready` was seen is sure to be complete.
  readSync(fd, words, 0, words.byteLength, 0);
  if (words[HEADER.magic] !== MAGIC[0] || words[HEADER.magic + 1] !== MAGIC[1]) return undefined;
  return {
    version: words[HEADER.version] as number,
    size: words[HEADER.size] as number,
    totalBytes: words[HEADER.totalBytes] as number,
    firstStep: words[HEADER.firstStep] as number,
  };
}

/** Unlinks a segment that nobody holds, if it is ours; throws if it is in use or somebody else's. */
async function removeIfAbandoned(system: SharedMemorySystem, name: string): Promise<void> {
  let fd: number;
  try {
    fd = system.openNamed(name, O_RDWR, 0);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw cannotOpen(system, name, error);
  }
  try {
    checkOwner(fd, name);
    const giveUpAt = performance.now() + GRACE_MS;
    while (!system.isByteLocked(fd, 0) && performance.now() < giveUpAt) await sleep(10);
    if (system.isByteLocked(fd, 0)) {
      throw new InitializationFailed(
        "shm",
        `the segment ${name} is in use: another job has that name, or two processes are rank 0. Give each job a name and each process a rank of its own.`,
      );
    }
    if (!isOurs(fd)) {
      throw new InitializationFailed(
        "shm",
        `there is a segment ${name} that is not one of ours. Choose another name, or remove ${system.pathOf(name)}.`,
      );
    }
    // Another rank 0 may have replaced it meanwhile; then the name is no longer this file's.
    if (isStillNamed(system, name, fd)) system.unlinkNamed(name);
  } finally {
    closeSync(fd);
  }
}

/** A start-up can be killed before the pages are there, before the header is, or after. */
function isOurs(fd: number): boolean {
  const words = new Int32Array(16);
  const read = readSync(fd, words, 0, words.byteLength, 0);
  if (read === 0) return true;
  if (words[HEADER.magic] === MAGIC[0] && words[HEADER.magic + 1] === MAGIC[1]) return true;
  return words.every((word) => word === 0);
}

function isStillNamed(system: SharedMemorySystem, name: string, fd: number): boolean {
  try {
    const other = system.openNamed(name, O_RDWR, 0);
    const same = fstatSync(other).ino === fstatSync(fd).ino;
    closeSync(other);
    return same;
  } catch {
    return false;
  }
}

function checkOwner(fd: number, name: string): void {
  const { uid } = fstatSync(fd);
  if (uid === process.getuid?.()) return;
  throw new InitializationFailed(
    "shm",
    `the segment ${name} belongs to another user (uid ${uid}). Choose another name.`,
  );
}

function cannotOpen(system: SharedMemorySystem, name: string, cause: unknown): Error {
  const code = codeOf(cause);
  if (code === undefined) return cause as Error;
  const hint =
    code === "EACCES"
      ? "it belongs to another user. Choose another name."
      : `check that ${system.place} is mounted and writable.`;
  const reason = `the segment ${name} cannot be opened (${code}): ${hint}`;
  return new InitializationFailed("shm", reason, { cause });
}
