/**
 * The named segment through which ranks find each other: rank 0 makes it, the others open it, and
 * the name is removed once all have joined.
 *
 * Every rank locks the byte of its number for as long as it lives. A segment whose byte 0 is not
 * locked is therefore abandoned: its job was killed while it started.
 */
import { closeSync, constants, fstatSync, ftruncateSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { InitializationFailed } from "../errors/backend-error.js";
import { codeOf } from "../ffi/system-call-error.js";
import { reservePages } from "../memory/reserve-pages.js";
import type { SharedMemorySystem } from "../memory/system.js";
import { HEADER, type Layout, MAGIC, VERSION } from "./layout.js";

const { O_CREAT, O_EXCL, O_RDWR } = constants;

/** A creator locks its segment right after making it. Until then the segment looks abandoned. */
const GRACE_MS = 200;

/**
 * Makes the segment, as rank 0, and reserves the parts that rank 0 writes. Replaces one that a
 * killed job has left.
 */
export async function createSegment(
  system: SharedMemorySystem,
  name: string,
  layout: Layout,
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
      ftruncateSync(fd, layout.totalBytes);
      reservePages(system, fd, layout.parts(0), layout.totalBytes);
      return fd;
    } catch (error) {
      system.unlinkNamed(name);
      closeSync(fd);
      throw error;
    }
  }
}

/** The contents of a segment's header. */
export interface SegmentHeader {
  readonly version: number;
  readonly size: number;
  readonly totalBytes: number;
  readonly firstStep: number;
}

/**
 * Opens rank 0's segment. Returns `undefined` if there is none yet, or only an abandoned or
 * unfinished one.
 */
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

/** Reads the header. Returns `undefined` if it is incomplete or not one of ours. */
function readHeader(fd: number): SegmentHeader | undefined {
  const words = new Int32Array(16);
  if (readSync(fd, words, 0, words.byteLength, 0) < words.byteLength) return undefined;
  if (words[HEADER.ready] !== 1) return undefined;
  // Some processors reorder reads: only what is read after `ready` was seen is sure to be complete.
  readSync(fd, words, 0, words.byteLength, 0);
  if (words[HEADER.magic] !== MAGIC[0] || words[HEADER.magic + 1] !== MAGIC[1]) return undefined;
  return {
    version: words[HEADER.version] as number,
    size: words[HEADER.size] as number,
    totalBytes: words[HEADER.totalBytes] as number,
    firstStep: words[HEADER.firstStep] as number,
  };
}

/** Unlinks a segment that is ours and abandoned. Throws if it is in use or not ours. */
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
    // Another rank 0 may have replaced the file meanwhile. The name then belongs to the new one.
    if (isStillNamed(system, name, fd)) system.unlinkNamed(name);
  } finally {
    closeSync(fd);
  }
}

/** A start can be killed before the pages are reserved, before the header is written, or later. */
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
