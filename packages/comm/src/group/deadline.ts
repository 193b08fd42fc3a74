/** The first warning about a late rank comes after half the limit, but no later than this. */
const FIRST_WARNING_MS = 30_000;

/**
 * How long a collective may take. The clock starts when a call first has to sleep. Until then no time
 * worth counting has passed, and reading the clock in every call would take longer than a small
 * collective.
 */
export class Deadline {
  /** `Infinity` if living ranks may take as long as they need. */
  readonly timeoutMs: number;
  private isRunning = false;
  private startedAt = 0;
  private warnAtMs = 0;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  /** Begins a new call. */
  reset(): void {
    this.isRunning = false;
  }

  /** Starts the clock if it is not running; returns whether it did. */
  start(): boolean {
    if (this.isRunning) return false;
    this.isRunning = true;
    this.startedAt = performance.now();
    this.warnAtMs = Math.min(this.timeoutMs / 2, FIRST_WARNING_MS);
    return true;
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAt;
  }

  /** The waiting time that a message gives: the limit, or the time itself if there is no limit. */
  secondsOf(elapsedMs: number): number {
    const ms = Number.isFinite(this.timeoutMs) ? this.timeoutMs : Math.round(elapsedMs);
    return ms / 1000;
  }

  /** Whether it is time to warn about a late rank: at first, and each time the wait has doubled. */
  isWarningDue(elapsedMs: number): boolean {
    if (elapsedMs <= this.warnAtMs) return false;
    this.warnAtMs = 2 * elapsedMs;
    return true;
  }
}
