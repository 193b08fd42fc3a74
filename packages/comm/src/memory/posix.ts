/** The system calls that are the same on Linux and macOS: mapping, yielding, locks of open files. */

import { addressOf } from "../ffi/address.js";
import type { Koffi } from "../ffi/koffi.js";
import { SystemCallError } from "../ffi/system-call-error.js";
import { FileLocks } from "./file-locks.js";

const PROT_READ_WRITE = 0x3;
const MAP_SHARED_FIXED = 0x01 | 0x10;

/** The calls that these systems share, bound to the C library of this process. */
export abstract class Posix {
  protected readonly koffi: Koffi;
  private readonly locks: FileLocks;
  private readonly mmap: (...args: unknown[]) => number | bigint;
  private readonly schedYield: () => number;

  constructor(koffi: Koffi) {
    this.koffi = koffi;
    this.locks = new FileLocks(koffi);
    const libc = koffi.load(null);
    // void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset);
    this.mmap = libc.func(
      "uintptr_t mmap(uintptr_t addr, size_t length, int prot, int flags, int fd, int64_t offset)",
    );
    // int sched_yield(void);
    this.schedYield = libc.func("int sched_yield()");
  }

  mapOver(buffer: ArrayBuffer, fd: number, bytes: number): void {
    const address = this.addressOf(new Uint8Array(buffer));
    const mapped = this.mmap(address, bytes, PROT_READ_WRITE, MAP_SHARED_FIXED, fd, 0);
    // On failure it returns 2^64 - 1. With MAP_FIXED it never maps elsewhere.
    if (Number(mapped) !== address) throw new SystemCallError("mmap", this.koffi.errno());
  }

  addressOf(array: ArrayBufferView): number {
    return Number(addressOf(this.koffi, array));
  }

  lockByte(fd: number, byte: number): boolean {
    return this.locks.lockByte(fd, byte);
  }

  isByteLocked(fd: number, byte: number): boolean {
    return this.locks.isByteLocked(fd, byte);
  }

  yieldProcessor(): void {
    this.schedYield();
  }
}
