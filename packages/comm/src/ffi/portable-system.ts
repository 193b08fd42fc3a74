/**
 * Shared memory with what every POSIX system has: files in the directory for temporary files that all
 * ranks map, locks of open files, and sleepers that look again and again.
 *
 * Not `shm_open`: on macOS such an object can be neither locked nor read, and nobody can list what a
 * killed job has left of them. A file has none of these faults; the price is that the system may write
 * its pages to the disk.
 */
import { randomInt } from "node:crypto";
import {
  constants,
  ftruncateSync,
  openSync,
  rmSync,
  statfsSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { Posix } from "./posix.js";
import type { RegionFile, SharedMemorySystem } from "./shared-memory-system.js";
import { regionPath, regionPathsOf, segmentPath } from "./temporary-files.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

const ZEROS_BYTES = 2 ** 20;

/** A sleeper looks again after this, and then less and less often. */
const FIRST_PAUSE_MS = 0.05;
const LONGEST_PAUSE_MS = 1;

/** Linux can run on it too (`COBRE_SHM_SYSTEM=portable`), and is where it is tested. */
export class PortableSystem extends Posix implements SharedMemorySystem {
  readonly place = tmpdir();
  readonly roomAdvice =
    "Free some of it, or let TMPDIR name a directory with more room on all ranks.";
  /** Nobody ever changes it: to wait for it is to sleep. */
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
    unlinkSync(segmentPath(name));
  }

  /** Only what has been written is sure to have a place on the disk. */
  reserve(fd: number, bytes: number): void {
    const zeros = new Uint8Array(Math.min(bytes, ZEROS_BYTES));
    try {
      for (let done = 0; done < bytes; ) {
        done += writeSync(fd, zeros, 0, Math.min(bytes - done, zeros.length), done);
      }
    } catch (error) {
      // What was had is not kept, and counts as free when the failure is told.
      ftruncateSync(fd, 0);
      throw error;
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

  /** Every rank does it: whoever is killed, the others leave no file behind. */
  forgetRegion(file: RegionFile): void {
    rmSync(regionPath(file), { force: true });
  }

  forgetRegionsOf(pid: number): void {
    try {
      for (const path of regionPathsOf(pid)) rmSync(path, { force: true });
    } catch {
      // Somebody else's, or the directory is gone: what the caller has to tell is more important.
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

  /** Sleepers look for themselves. */
  wake(_address: number): void {}

  /** Hence announcements are fenced, and no barrier is needed. */
  registerForBarriers(): boolean {
    return false;
  }

  barrierEverywhere(): void {}

  readFrom(): void {
    throw new Error("other processes' memory cannot be read on this system");
  }
}
