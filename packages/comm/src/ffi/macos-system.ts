/**
 * Shared memory on macOS: the portable system with a true wait, where there is one.
 *
 * **Never run**: written from the headers (os/os_sync_wait_on_address.h, os/clock.h, bsd/sys/fcntl.h). What the portable
 * system does is tested on Linux; what is here, and the numbers for macOS in file-locks.ts, is not.
 */
import type { Koffi } from "./koffi.js";
import { PortableSystem } from "./portable-system.js";
import { SystemCallError } from "./system-call-error.js";

/** The word lies in memory of several processes; the same for waiting and waking. */
const ON_ADDRESS_SHARED = 1;
const CLOCK_MACH_ABSOLUTE_TIME = 32;
const WORD_BYTES = 4;

/** Ends of a wait after which one looks at the word and may wait again. */
const ORDINARY_ENDS: ReadonlySet<string> = new Set(["ETIMEDOUT", "EINTR", "EFAULT"]);

/** From macOS 14.4 on the kernel wakes sleepers; before, and if it refuses to, they look for themselves. */
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
    // The kernel compares 64 bits, of which a word fills the lower half.
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
    // It fails if nobody sleeps there, which is well.
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
