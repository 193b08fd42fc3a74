/**
 * The system calls behind shared memory, on Linux. Each foreign function stands under its C
 * signature; each returns or throws as JavaScript expects it to.
 */
import { getSystemErrorName } from "node:util";
import { writeVector } from "./iovec.js";
import { type Koffi, loadKoffi } from "./koffi.js";
import { SystemCallError } from "./system-call-error.js";

const PROT_READ_WRITE = 0x3;
const MAP_SHARED_FIXED = 0x01 | 0x10;

const F_OFD_GETLK = 36;
const F_OFD_SETLK = 37;
const F_WRLCK = 1;
const F_UNLCK = 2;

/** Numbers of system calls that have no function in the C library. */
const SYSTEM_CALLS: Readonly<Record<string, { futex: number; membarrier: number }>> = {
  x64: { futex: 202, membarrier: 324 },
  arm64: { futex: 98, membarrier: 283 },
};
const MEMBARRIER_GLOBAL_EXPEDITED = 1 << 1;
const MEMBARRIER_REGISTER_GLOBAL_EXPEDITED = 1 << 2;
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
  private readonly numbers: { readonly futex: number; readonly membarrier: number };
  private readonly timespec = new BigInt64Array(2);
  /** Two `struct iovec`: the address and the length, 64 bits each, of what is here and there. */
  private readonly localVector = new Uint32Array(4);
  private readonly remoteVector = new Uint32Array(4);
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
    const numbers = SYSTEM_CALLS[process.arch];
    if (numbers === undefined) throw new Error(`no system calls are known for ${process.arch}`);
    this.numbers = numbers;
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
    const address = this.addressOf(new Uint8Array(buffer));
    const mapped = this.functions.mmap(address, bytes, PROT_READ_WRITE, MAP_SHARED_FIXED, fd, 0);
    // It fails as 2^64 - 1, and never maps elsewhere with MAP_FIXED.
    if (Number(mapped) !== address) throw new SystemCallError("mmap", this.errno());
  }

  /** Where an array's elements are. Addresses have 48 bits: a number holds them exactly. */
  addressOf(array: ArrayBufferView): number {
    return Number(this.koffi.address(array));
  }

  /**
   * Copies `bytes` from another process's memory into this one's; needs its consent in the form of
   * the same user and the kernel's permission to trace it. The addresses must be those of memory that
   * neither process moves or frees meanwhile.
   */
  readFrom(pid: number, remote: number, local: number, bytes: number): void {
    const { localVector, remoteVector } = this;
    // The kernel copies at most 2 GiB at a time, and may be interrupted by a signal.
    for (let done = 0; done < bytes; ) {
      writeVector(localVector, 0, local + done, bytes - done);
      writeVector(remoteVector, 0, remote + done, bytes - done);
      const got = this.functions.processVmReadv(pid, localVector, 1, remoteVector, 1, 0);
      done += this.check("process_vm_readv", got);
    }
  }

  yieldProcessor(): void {
    this.functions.schedYield();
  }

  /** Sleeps until woken, if the word at `address` still holds `expected`; at most `milliseconds`. */
  futexWait(address: number, expected: number, milliseconds: number): void {
    this.timespec[0] = BigInt(Math.floor(milliseconds / 1000));
    this.timespec[1] = BigInt(Math.round((milliseconds % 1000) * 1e6));
    // Woken, interrupted, timed out or not asleep at all: the caller looks at the word again.
    this.functions.syscall(this.numbers.futex, address, FUTEX_WAIT, expected, this.timespec, 0, 0);
  }

  /** Wakes everybody who sleeps on the word at `address`. */
  futexWake(address: number): void {
    this.functions.syscall(this.numbers.futex, address, FUTEX_WAKE, 0x7fffffff, null, 0, 0);
  }

  /** Takes part in `barrierEverywhere`; returns whether this kernel has it. */
  registerForBarriers(): boolean {
    return this.membarrier(MEMBARRIER_REGISTER_GLOBAL_EXPEDITED) === 0;
  }

  /** A full memory barrier in every registered process: none has a store or load in between. */
  barrierEverywhere(): void {
    this.membarrier(MEMBARRIER_GLOBAL_EXPEDITED);
  }

  private membarrier(command: number): number {
    return this.functions.syscall(this.numbers.membarrier, command, 0, 0, null, 0, 0);
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
    // ssize_t process_vm_readv(pid_t pid, const struct iovec *local, unsigned long liovcnt, const struct iovec *remote, unsigned long riovcnt, unsigned long flags);
    processVmReadv: libc.func(
      "int64_t process_vm_readv(int pid, void *local, ulong liovcnt, void *remote, ulong riovcnt, ulong flags)",
    ),
    // int syscall(SYS_membarrier, int cmd, unsigned int flags, int cpu_id);
    // long syscall(SYS_futex, uint32_t *uaddr, int op, uint32_t val, const struct timespec *timeout, uint32_t *uaddr2, uint32_t val3);
    syscall: libc.func(
      "long syscall(long number, uintptr_t uaddr, int op, int val, void *timeout, uintptr_t uaddr2, int val3)",
    ),
  };
}
