/**
 * Shared memory on macOS: the portable system, with sleeping and waking by the kernel where it
 * offers them.
 *
 * **Never run**: written from the headers (os/os_sync_wait_on_address.h, os/clock.h,
 * bsd/sys/fcntl.h). The portable system is tested on Linux; this file and the macOS numbers in
 * file-locks.ts are not tested.
 */
import type { Koffi } from "../ffi/koffi.js";
import { SystemCallError } from "../ffi/system-call-error.js";
import { PortableSystem } from "./portable-system.js";

/** Several processes share the word. The flag is the same for waiting and waking. */
const ON_ADDRESS_SHARED = 1;
const CLOCK_MACH_ABSOLUTE_TIME = 32;
const WORD_BYTES = 4;

/** Errors after which the caller checks the word and may wait again. */
const ORDINARY_ENDS: ReadonlySet<string> = new Set(["ETIMEDOUT", "EINTR", "EFAULT"]);

/**
 * From macOS 14.4 on, the kernel wakes sleepers. On older systems, or if a wait fails, sleepers
 * poll.
 */
export class MacosSystem extends PortableSystem {
  private readonly functions: ReturnType<typeof bind>;
  private canWait: boolean;

  constructor(koffi: Koffi) {
    super(koffi);
    this.functions = bind(koffi);
    this.canWait = this.functions !== undefined;
  }

  override get description(): string {
    return `${super.description} (never tried on macOS: see docs/known-issues.md)`;
  }

  override sleepWhile(
    words: Int32Array,
    word: number,
    address: number,
    expected: number,
    milliseconds: number,
  ): void {
    if (this.functions === undefined || !this.canWait) {
      super.sleepWhile(words, word, address, expected, milliseconds);
      return;
    }
    // The value is passed as 64 bits. A 4-byte word fills the lower half.
    const result = this.functions.wait(
      address,
      expected >>> 0,
      WORD_BYTES,
      ON_ADDRESS_SHARED,
      CLOCK_MACH_ABSOLUTE_TIME,
      Math.round(milliseconds * 1e6),
    );
    if (result >= 0) return;
    const { code } = new SystemCallError("os_sync_wait_on_address", this.koffi.errno());
    if (!ORDINARY_ENDS.has(code)) this.canWait = false;
  }

  override wake(address: number): void {
    // It fails if no process sleeps there, which is fine.
    this.functions?.wake(address, WORD_BYTES, ON_ADDRESS_SHARED);
  }
}

function bind(koffi: Koffi) {
  const system = koffi.load(null);
  try {
    return {
      // int os_sync_wait_on_address_with_timeout(void *addr, uint64_t value, size_t size, os_sync_wait_on_address_flags_t flags, os_clockid_t clockid, uint64_t timeout_ns);
      wait: system.func(
        "int os_sync_wait_on_address_with_timeout(uintptr_t addr, uint64_t value, size_t size, uint32_t flags, uint32_t clockid, uint64_t timeout_ns)",
      ),
      // int os_sync_wake_by_address_all(void *addr, size_t size, os_sync_wake_by_address_flags_t flags);
      wake: system.func(
        "int os_sync_wake_by_address_all(uintptr_t addr, size_t size, uint32_t flags)",
      ),
    };
  } catch {
    return undefined;
  }
}
