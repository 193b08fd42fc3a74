/** The scheduler of Linux, as this thread sees it. Each foreign function follows its C signature. */
import type { Koffi } from "../ffi/koffi.js";
import { areEqual, type ProcessorSet } from "./processor-set.js";

/** Room for 8192 processors, as many as Linux can be built for. */
const MASK_BYTES = 1024;

const CLOCK_MONOTONIC_COARSE = 6;

/** Limits for what the kernel says of itself, in milliseconds. */
const SHORTEST_TURN_MS = 1;
const LONGEST_TURN_MS = 10;

/** What is assumed where the kernel does not say: a tick of the usual 250 Hz. */
export const USUAL_TURN_MS = 4;

export class Scheduler {
  private readonly functions: ReturnType<typeof bind>;
  private readonly mask = new Uint8Array(MASK_BYTES);

  /** `undefined` on systems other than Linux. */
  static of(koffi: Koffi): Scheduler | undefined {
    if (process.platform !== "linux") return undefined;
    try {
      return new Scheduler(koffi);
    } catch {
      // A C library without these functions.
      return undefined;
    }
  }

  private constructor(koffi: Koffi) {
    this.functions = bind(koffi);
  }

  /** The processor that this thread runs on. */
  currentProcessor(): number {
    return this.functions.getCpu();
  }

  /** The processors that this thread may use; `undefined` if the kernel does not say. */
  allowed(): ProcessorSet | undefined {
    const { mask } = this;
    if (this.functions.getAffinity(0, MASK_BYTES, mask) !== 0) return undefined;
    const processors: number[] = [];
    mask.forEach((byte, i) => {
      for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) processors.push(8 * i + bit);
    });
    return processors;
  }

  /**
   * Binds this thread, and the threads and processes that it starts from now on. Returns whether
   * the kernel has done exactly that.
   */
  bind(processors: ProcessorSet): boolean {
    const { mask } = this;
    mask.fill(0);
    for (const p of processors) mask[p >> 3] = (mask[p >> 3] as number) | (1 << (p & 7));
    if (this.functions.setAffinity(0, MASK_BYTES, mask) !== 0) return false;
    return areEqual(this.allowed() ?? [], processors);
  }

  /**
   * Moves this thread to one of `processors` at once. After that it may again use all that it could
   * before. Returns whether it was moved.
   */
  moveTo(processors: ProcessorSet): boolean {
    const before = this.allowed();
    if (before === undefined) return false;
    const hasMoved = this.bind(processors);
    this.bind(before);
    return hasMoved;
  }

  /**
   * How long a process keeps its processor while another one waits for it, in milliseconds. The
   * kernel only looks at a tick whether a slice is over. It rounds the slice down to ticks, and
   * gives a tick as the resolution of its coarse clock.
   */
  turnMs(): number {
    const time = new BigInt64Array(2);
    const tick = this.functions.clockResolution(CLOCK_MONOTONIC_COARSE, time);
    if (tick !== 0) return USUAL_TURN_MS;
    const tickMs = millisecondsOf(time);
    const sliceMs = this.functions.roundRobinInterval(0, time) === 0 ? millisecondsOf(time) : 0;
    return Math.min(Math.max(sliceMs + tickMs, SHORTEST_TURN_MS), LONGEST_TURN_MS);
  }
}

/** The milliseconds of a `struct timespec`. */
function millisecondsOf(time: BigInt64Array): number {
  return Number(time[0]) * 1e3 + Number(time[1]) / 1e6;
}

function bind(koffi: Koffi) {
  const libc = koffi.load(null);
  return {
    // int sched_getcpu(void);
    getCpu: libc.func("int sched_getcpu()"),
    // int sched_getaffinity(pid_t pid, size_t cpusetsize, cpu_set_t *mask);
    getAffinity: libc.func("int sched_getaffinity(int pid, size_t size, void *mask)"),
    // int sched_setaffinity(pid_t pid, size_t cpusetsize, const cpu_set_t *mask);
    setAffinity: libc.func("int sched_setaffinity(int pid, size_t size, void *mask)"),
    // int sched_rr_get_interval(pid_t pid, struct timespec *tp);
    roundRobinInterval: libc.func("int sched_rr_get_interval(int pid, void *tp)"),
    // int clock_getres(clockid_t clockid, struct timespec *res);
    clockResolution: libc.func("int clock_getres(int clockid, void *res)"),
  };
}
