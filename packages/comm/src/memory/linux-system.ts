/**
 * Shared memory on Linux: segments and regions in /dev/shm, futexes, memory barriers in other
 * processes, and reading their memory. Each foreign function follows its C signature.
 */
import { constants, openSync, statfsSync } from "node:fs";
import { getSystemErrorName } from "node:util";
import { writeVector } from "../ffi/iovec.js";
import type { Koffi } from "../ffi/koffi.js";
import { SystemCallError } from "../ffi/system-call-error.js";
import { Posix } from "./posix.js";
import type { FilePart, RegionFile, SharedMemorySystem } from "./system.js";

const DIRECTORY = "/dev/shm";

/** Node.js has no name for this flag. It makes a file without a name in the given directory. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** System calls without a function in the C library. */
const SYSTEM_CALLS: Readonly<Record<string, { futex: number; membarrier: number }>> = {
  x64: { futex: 202, membarrier: 324 },
  arm64: { futex: 98, membarrier: 283 },
};
const MEMBARRIER_GLOBAL_EXPEDITED = 1 << 1;
const MEMBARRIER_REGISTER_GLOBAL_EXPEDITED = 1 << 2;
const FUTEX_WAIT = 0;
const FUTEX_WAKE = 1;

/** The calls, bound to the C library of this process. */
export class LinuxSystem extends Posix implements SharedMemorySystem {
  readonly description = `POSIX shared memory in ${DIRECTORY}`;
  readonly place = DIRECTORY;
  readonly roomAdvice = "Free some of it, or make it larger (in a container: --shm-size).";
  private readonly functions: ReturnType<typeof bind>;
  private readonly numbers: { readonly futex: number; readonly membarrier: number };
  private readonly timespec = new BigInt64Array(2);
  /**
   * Two `struct iovec`, each an address and a length of 64 bits: the memory here and the memory
   * there.
   */
  private readonly localVector = new Uint32Array(4);
  private readonly remoteVector = new Uint32Array(4);

  constructor(koffi: Koffi) {
    super(koffi);
    this.functions = bind(koffi);
    const numbers = SYSTEM_CALLS[process.arch];
    if (numbers === undefined) throw new Error(`no system calls are known for ${process.arch}`);
    this.numbers = numbers;
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(DIRECTORY);
    return bavail * bsize;
  }

  pathOf(name: string): string {
    return DIRECTORY + name;
  }

  openNamed(name: string, flags: number, mode: number): number {
    return this.check("shm_open", this.functions.shmOpen(name, flags, mode));
  }

  unlinkNamed(name: string): void {
    if (this.functions.shmUnlink(name) === 0) return;
    const errno = this.koffi.errno();
    if (getSystemErrorName(-errno) !== "ENOENT") throw new SystemCallError("shm_unlink", errno);
  }

  reserve(fd: number, { offset, bytes }: FilePart): void {
    // It returns its error instead of setting errno. A signal may interrupt a long call.
    let error: number;
    do {
      error = this.functions.posixFallocate(fd, offset, bytes);
    } while (error !== 0 && getSystemErrorName(-error) === "EINTR");
    if (error !== 0) throw new SystemCallError("posix_fallocate", error);
  }

  /** The file never has a name, so a kill at any moment leaves nothing behind. */
  createRegion(): Required<RegionFile> {
    const fd = openSync(DIRECTORY, O_TMPFILE | constants.O_RDWR, 0o600);
    return { pid: process.pid, handle: fd, fd };
  }

  openRegion({ pid, handle }: RegionFile): number {
    return openSync(`/proc/${pid}/fd/${handle}`, constants.O_RDWR);
  }

  forgetRegion(): void {}

  forgetRegionsOf(): void {}

  /** Works only for processes of the same user that the kernel allows this one to trace. */
  readFrom(pid: number, remote: number, local: number, bytes: number): void {
    const { localVector, remoteVector } = this;
    // The kernel copies at most 2 GiB at a time, and a signal may end a copy early.
    for (let done = 0; done < bytes; ) {
      writeVector(localVector, 0, local + done, bytes - done);
      writeVector(remoteVector, 0, remote + done, bytes - done);
      const got = this.functions.processVmReadv(pid, localVector, 1, remoteVector, 1, 0);
      done += this.check("process_vm_readv", got);
    }
  }

  sleepWhile(
    _words: Int32Array,
    _word: number,
    address: number,
    expected: number,
    milliseconds: number,
  ): void {
    this.timespec[0] = BigInt(Math.floor(milliseconds / 1000));
    this.timespec[1] = BigInt(Math.round((milliseconds % 1000) * 1e6));
    // Woken, interrupted, timed out or never asleep: the caller checks the word again.
    this.functions.syscall(this.numbers.futex, address, FUTEX_WAIT, expected, this.timespec, 0, 0);
  }

  wake(address: number): void {
    this.functions.syscall(this.numbers.futex, address, FUTEX_WAKE, 0x7fffffff, null, 0, 0);
  }

  registerForBarriers(): boolean {
    return this.membarrier(MEMBARRIER_REGISTER_GLOBAL_EXPEDITED) === 0;
  }

  barrierEverywhere(): void {
    this.membarrier(MEMBARRIER_GLOBAL_EXPEDITED);
  }

  private membarrier(command: number): number {
    return this.functions.syscall(this.numbers.membarrier, command, 0, 0, null, 0, 0);
  }

  private check(call: string, result: number): number {
    if (result === -1) throw new SystemCallError(call, this.koffi.errno());
    return result;
  }
}

function bind(koffi: Koffi) {
  const libc = koffi.load(null);
  // Before glibc 2.34, shm_open was in a separate library.
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
