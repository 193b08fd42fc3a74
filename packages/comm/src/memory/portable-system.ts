/**
 * Shared memory with what every POSIX system has: files in the directory for temporary files,
 * mapped by all ranks; locks of open files; and sleepers that poll.
 *
 * It does not use `shm_open`: on macOS such objects can be neither locked nor read, and leftovers
 * of a killed job cannot be listed. Files have none of these faults, but the system may write their
 * pages to disk.
 */
import { randomInt } from "node:crypto";
import { constants, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { Posix } from "./posix.js";
import type { FilePart, RegionFile, SharedMemorySystem } from "./system.js";
import { regionPath, regionPathsOf, segmentPath } from "./temporary-files.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

const ZEROS_BYTES = 2 ** 20;

/** A sleeper checks again after this pause. Each further pause is longer. */
const FIRST_PAUSE_MS = 0.05;
const LONGEST_PAUSE_MS = 1;

/** Linux can use it too (`COBRE_SHM_SYSTEM=portable`), and that is how it is tested. */
export class PortableSystem extends Posix implements SharedMemorySystem {
  readonly place = tmpdir();
  readonly roomAdvice =
    "Free some space there, or set TMPDIR on all ranks to a directory with more room.";
  /** Never changes, so waiting for it is sleeping. */
  private readonly never = new Int32Array(new SharedArrayBuffer(4));

  get description(): string {
    return `mapped files in ${this.place}`;
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.place);
    return bavail * bsize;
  }

  pathOf(name: string): string {
    return segmentPath(name);
  }

  openNamed(name: string, flags: number, mode: number): number {
    return openSync(segmentPath(name), flags | O_NOFOLLOW, mode);
  }

  unlinkNamed(name: string): void {
    rmSync(segmentPath(name), { force: true });
  }

  /** Only bytes that have been written are sure to have room on the disk. */
  reserve(fd: number, { offset, bytes }: FilePart): void {
    const zeros = new Uint8Array(Math.min(bytes, ZEROS_BYTES));
    for (let done = 0; done < bytes; ) {
      const length = Math.min(bytes - done, zeros.length);
      done += writeSync(fd, zeros, 0, length, offset + done);
    }
  }

  createRegion(): Required<RegionFile> {
    const file = { pid: process.pid, handle: randomInt(2 ** 47) };
    const fd = openSync(regionPath(file), O_CREAT | O_EXCL | O_RDWR, 0o600);
    return { ...file, fd };
  }

  openRegion(file: RegionFile): number {
    return openSync(regionPath(file), O_RDWR | O_NOFOLLOW);
  }

  /** Every rank removes the file. Even if one rank is killed, the others leave no file behind. */
  forgetRegion(file: RegionFile): void {
    rmSync(regionPath(file), { force: true });
  }

  forgetRegionsOf(pid: number): void {
    try {
      for (const path of regionPathsOf(pid)) rmSync(path, { force: true });
    } catch {
      // The file is another user's, or the directory is gone. The caller's own error matters more.
    }
  }

  sleepWhile(
    words: Int32Array,
    word: number,
    _address: number,
    expected: number,
    milliseconds: number,
  ): void {
    const end = performance.now() + milliseconds;
    let pause = FIRST_PAUSE_MS;
    do {
      Atomics.wait(this.never, 0, 0, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    } while (Atomics.load(words, word) === expected && performance.now() < end);
  }

  /** Sleepers poll, so they need no waking. */
  wake(_address: number): void {}

  /** Returns false, so announcements are fenced and no barriers are needed. */
  registerForBarriers(): boolean {
    return false;
  }

  barrierEverywhere(): void {}

  readFrom(): void {
    throw new Error("other processes' memory cannot be read on this system");
  }
}
