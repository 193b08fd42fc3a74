/**
 * Locks on single bytes that belong to an open file ("open file description locks"). They end with
 * the descriptor, however its process ends. Other descriptors of the same file do not affect them.
 */
import type { Koffi } from "../ffi/koffi.js";
import { SystemCallError } from "../ffi/system-call-error.js";

/**
 * The numbers that differ between systems: commands of `fcntl`, types of locks, and offsets in
 * `struct flock`.
 */
interface LockNumbers {
  readonly setLock: number;
  readonly getLock: number;
  readonly writeLock: number;
  readonly unlocked: number;
  readonly bytes: number;
  readonly typeAt: number;
  readonly whenceAt: number;
  readonly startAt: number;
  readonly lengthAt: number;
  readonly pidAt: number;
}

/** From the headers: asm-generic/fcntl.h of Linux, bsd/sys/fcntl.h of XNU (macOS 10.11 and later). */
const NUMBERS: Readonly<Record<string, LockNumbers>> = {
  linux: {
    setLock: 37,
    getLock: 36,
    writeLock: 1,
    unlocked: 2,
    bytes: 32,
    typeAt: 0,
    whenceAt: 2,
    startAt: 8,
    lengthAt: 16,
    pidAt: 24,
  },
  darwin: {
    setLock: 90,
    getLock: 92,
    writeLock: 3,
    unlocked: 2,
    bytes: 24,
    typeAt: 20,
    whenceAt: 22,
    startAt: 0,
    lengthAt: 8,
    pidAt: 16,
  },
};

/** Locks bytes of files and tells whether others have locked them. */
export class FileLocks {
  private readonly numbers: LockNumbers;
  private readonly lock: DataView;
  private readonly lockBytes: Uint8Array;
  private readonly fcntl: (...args: unknown[]) => number;
  private readonly errno: () => number;

  constructor(koffi: Koffi) {
    const numbers = NUMBERS[process.platform];
    if (numbers === undefined) throw new Error(`no file locks are known for ${process.platform}`);
    this.numbers = numbers;
    this.lockBytes = new Uint8Array(numbers.bytes);
    this.lock = new DataView(this.lockBytes.buffer);
    this.errno = () => koffi.errno();
    // int fcntl(int fd, int op, ...); declared variadic because arm64 macOS passes variadic
    // arguments differently.
    this.fcntl = koffi.load(null).func("int fcntl(int fd, int op, ...)");
  }

  /** Locks a byte. Returns whether it was free. */
  lockByte(fd: number, byte: number): boolean {
    if (this.call(fd, this.numbers.setLock, byte) === 0) return true;
    const error = new SystemCallError("fcntl(F_OFD_SETLK)", this.errno());
    if (error.code === "EAGAIN" || error.code === "EACCES") return false;
    throw error;
  }

  /** Whether another open file holds the lock on that byte. */
  isByteLocked(fd: number, byte: number): boolean {
    if (this.call(fd, this.numbers.getLock, byte) === -1) {
      throw new SystemCallError("fcntl(F_OFD_GETLK)", this.errno());
    }
    return this.lock.getInt16(this.numbers.typeAt, true) !== this.numbers.unlocked;
  }

  private call(fd: number, command: number, byte: number): number {
    const { lock, numbers } = this;
    lock.setInt16(numbers.typeAt, numbers.writeLock, true);
    lock.setInt16(numbers.whenceAt, 0, true);
    lock.setBigInt64(numbers.startAt, BigInt(byte), true);
    lock.setBigInt64(numbers.lengthAt, 1n, true);
    // These locks require 0 here. The previous call may have left another value.
    lock.setInt32(numbers.pidAt, 0, true);
    return this.fcntl(fd, command, "void *", this.lockBytes);
  }
}
