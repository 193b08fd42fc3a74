/**
 * The system calls behind shared memory, on Linux. Each foreign function stands under its C
 * signature; each returns or throws as JavaScript expects it to.
 */
import { getSystemErrorName } from "node:util";
import { type Koffi, loadKoffi } from "./koffi.js";

/** A system call said no. `code` is the name of its errno: `"ENOSPC"`. */
export class SystemCallError extends Error {
  override readonly name = "SystemCallError";
  readonly call: string;
  readonly code: string;

  constructor(call: string, errno: number) {
    const code = getSystemErrorName(-errno);
    super(`${call}: ${code}`);
    this.call = call;
    this.code = code;
  }
}

const PROT_READ_WRITE = 0x3;
const MAP_SHARED_FIXED = 0x01 | 0x10;

const F_OFD_GETLK = 36;
const F_OFD_SETLK = 37;
const F_WRLCK = 1;
const F_UNLCK = 2;

const SYS_FUTEX: Readonly<Record<string, number>> = { x64: 202, arm64: 98 };
const FUTEX_WAIT = 0;
const FUTEX_WAKE = 1;

/** Where `struct flock` has its fields: short l_type, l_whence; off_t l_start, l_len; pid_t l_pid. */
const FLOCK_BYTES = 32;
const FLOCK_START = 8;
const FLOCK_LENGTH = 16;

/** The calls, bound to the C library of this process. */
export class Posix {
  private readonly errno: () => number;
  private readonly functions: ReturnType<typeof bind>;
  private readonly futexNumber: number;
  private readonly timespec = new BigInt64Array(2);
  private readonly flock = new DataView(new ArrayBuffer(FLOCK_BYTES));
  private readonly koffi: Koffi;

  /** Throws `ForeignFunctionsUnavailable` where no foreign function can be called. */
  static async load(): Promise<Posix> {
    return new Posix(await loadKoffi());
  }

  private constructor(koffi: Koffi) {
    this.koffi = koffi;
    this.errno = () => koffi.errno();
    this.functions = bind(koffi);
    this.futexNumber = SYS_FUTEX[process.arch] ?? 0;
  }

  /** Opens or makes a shared-memory object; the descriptor is closed on exec. */
  shmOpen(name: string, flags: number, mode: number): number {
    return this.check("shm_open", this.functions.shmOpen(name, flags, mode));
  }

  shmUnlink(name: string): void {
    this.check("shm_unlink", this.functions.shmUnlink(name));
  }

  /** Reserves the pages, so that touching them later cannot fail. */
  reserve(fd: number, bytes: number): void {
    // It returns its error instead of setting errno. A signal may interrupt a long one.
    let error: number;
    do {
      error = this.functions.posixFallocate(fd, 0, bytes);
    } while (error !== 0 && getSystemErrorName(-error) === "EINTR");
    if (error !== 0) throw new SystemCallError("posix_fallocate", error);
  }

  /** Maps the first `bytes` of `fd` over the memory of `buffer`, in its place. */
  mapOver(buffer: ArrayBuffer, fd: number, bytes: number): void {
    const address = this.addressOf(buffer);
    const mapped = this.functions.mmap(address, bytes, PROT_READ_WRITE, MAP_SHARED_FIXED, fd, 0);
    // It fails as 2^64 - 1, and never maps elsewhere with MAP_FIXED.
    if (BigInt(mapped) !== address) throw new SystemCallError("mmap", this.errno());
  }

  addressOf(buffer: ArrayBuffer): bigint {
    return BigInt(this.koffi.address(new Uint8Array(buffer)));
  }

  yieldProcessor(): void {
    this.functions.schedYield();
  }

  /** Sleeps until woken, if the word at `address` still holds `expected`; at most `milliseconds`. */
  futexWait(address: bigint, expected: number, milliseconds: number): void {
    this.timespec[0] = BigInt(Math.floor(milliseconds / 1000));
    this.timespec[1] = BigInt(Math.round((milliseconds % 1000) * 1e6));
    // Woken, interrupted, timed out or not asleep at all: the caller looks at the word again.
    this.functions.syscall(this.futexNumber, address, FUTEX_WAIT, expected, this.timespec, 0, 0);
  }

  /** Wakes everybody who sleeps on the word at `address`. */
  futexWake(address: bigint): void {
    this.functions.syscall(this.futexNumber, address, FUTEX_WAKE, 0x7fffffff, null, 0, 0);
  }

  /**
   * Locks one byte of the file for as long as this process has `fd` open: the kernel lets go of it
   * however the process ends. Returns whether the byte was free.
   */
  lockByte(fd: number, byte: number): boolean {
    const result = this.functions.fcntl(fd, F_OFD_SETLK, this.flockOf(byte));
    if (result === 0) return true;
    const error = new SystemCallError("fcntl(F_OFD_SETLK)", this.errno());
    if (error.code === "EAGAIN" || error.code === "EACCES") return false;
    throw error;
  }

  /** Whether somebody else holds the lock on that byte. */
  isByteLocked(fd: number, byte: number): boolean {
    const lock = this.flockOf(byte);
    this.check("fcntl(F_OFD_GETLK)", this.functions.fcntl(fd, F_OFD_GETLK, lock));
    return lock[0] !== F_UNLCK;
  }

  private flockOf(byte: number): Uint8Array {
    this.flock.setBigUint64(0, BigInt(F_WRLCK), true);
    this.flock.setBigUint64(FLOCK_START, BigInt(byte), true);
    this.flock.setBigUint64(FLOCK_LENGTH, 1n, true);
    // l_pid must be 0 for these locks; an answer may have left something there.
    this.flock.setBigUint64(24, 0n, true);
    return new Uint8Array(this.flock.buffer);
  }

  private check(call: string, result: number): number {
    if (result === -1) throw new SystemCallError(call, this.errno());
    return result;
  }
}

function bind(koffi: Koffi) {
  const libc = koffi.load(null);
  // Before glibc 2.34 shm_open lived in a library of its own.
  const shm = (signature: string) => {
    try {
      return libc.func(signature);
    } catch {
      return koffi.load("librt.so.1").func(signature);
    }
  };
  return {
    // int shm_open(const char *name, int oflag, mode_t mode);
    shmOpen: shm("int shm_open(const char *name, int oflag, uint mode)"),
    // int shm_unlink(const char *name);
    shmUnlink: shm("int shm_unlink(const char *name)"),
    // int posix_fallocate(int fd, off_t offset, off_t len);
    posixFallocate: libc.func("int posix_fallocate(int fd, int64_t offset, int64_t len)"),
    // void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset);
    mmap: libc.func(
      "uintptr_t mmap(uintptr_t addr, size_t length, int prot, int flags, int fd, int64_t offset)",
    ),
    // int sched_yield(void);
    schedYield: libc.func("int sched_yield()"),
    // int fcntl(int fd, int op, struct flock *lock);
    fcntl: libc.func("int fcntl(int fd, int op, void *lock)"),
    // long syscall(SYS_futex, uint32_t *uaddr, int op, uint32_t val, const struct timespec *timeout, uint32_t *uaddr2, uint32_t val3);
    syscall: libc.func(
      "long syscall(long number, uintptr_t uaddr, int op, int val, void *timeout, uintptr_t uaddr2, int val3)",
    ),
  };
}
