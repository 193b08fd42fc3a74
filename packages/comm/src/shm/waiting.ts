import type { SharedMemorySystem } from "../ffi/shared-memory-system.js";
import { operationOf } from "../group/fingerprint.js";
import { storyOfWaiting } from "../group/stories.js";
import { warn } from "../group/warning.js";
import { type Layout, LINE, LINE_WORDS, RING } from "./layout.js";
import type { Membership } from "./membership.js";
import type { SharedMemory } from "./shared-memory.js";

/** How long a rank looks before it yields its core, and how often it yields before it sleeps. */
export interface Patience {
  readonly spins: number;
  readonly yields: number;
}

/**
 * With a core for every rank, the others are a moment away: look hard. With fewer cores the one waited
 * for may need this core: look briefly, then let it run. Tuned by `npm run bench`; see
 * docs/shm-protocol.md for the figures.
 */
export function patienceFor(ranks: number, cores: number): Patience {
  return ranks <= cores ? { spins: 20_000, yields: 3000 } : { spins: 50, yields: 200 };
}

/** A sleep is bounded: a lost wake-up costs a moment, and the dead are found out soon. */
const SLEEP_MS = 20;

/** Waits for one rank's step: yields, then sleeps; gives up when the group is broken. */
export class Waiting {
  private readonly words: Int32Array;
  private readonly address: number;
  private readonly system: SharedMemorySystem;
  readonly membership: Membership;
  private readonly sleepWord: number;
  private readonly lineWords: number[];
  readonly patience: Patience;
  private readonly timeoutMs: number;
  private calls = 0;
  private timedCall = -1;
  private startedAt = 0;
  private warned = false;

  constructor(
    shared: SharedMemory,
    layout: Layout,
    membership: Membership,
    system: SharedMemorySystem,
    patience: Patience,
    timeoutMs: number,
  ) {
    this.words = new Int32Array(shared.buffer);
    this.address = shared.address;
    this.membership = membership;
    this.system = system;
    this.patience = patience;
    this.timeoutMs = timeoutMs;
    this.sleepWord = layout.sleepWord(membership.rank) >> 2;
    this.lineWords = Array.from({ length: layout.size }, (_, r) => layout.lines(r) >> 2);
  }

  /** A new collective begins, and with it a new deadline. */
  open(): void {
    this.calls++;
  }

  /**
   * Returns when the word in `rank`'s line shows `step` or a later one. The caller has already spun:
   * that is the kernel's part.
   */
  untilAnnounced(rank: number, word: number, step: number, call: number): void {
    const { words } = this;
    for (let i = this.patience.yields; i > 0; i--) {
      this.system.yieldProcessor();
      if (((Atomics.load(words, word) - step) | 0) >= 0) return;
    }
    this.sleepUntilAnnounced(rank, word, step, call);
  }

  /** Wakes those who sleep on a word. */
  wake(word: number): void {
    this.system.wake(this.address + word * 4);
  }

  private sleepUntilAnnounced(rank: number, word: number, step: number, call: number): void {
    const { words } = this;
    this.startClock();
    for (;;) {
      Atomics.store(words, this.sleepWord, rank + 1);
      // A rank that announces without a fence may have looked for sleepers before its announcement
      // could be seen. After this, either it sees this sleeper or this rank sees the announcement.
      this.system.barrierEverywhere();
      const seen = Atomics.load(words, word);
      if (((seen - step) | 0) < 0 && !this.membership.records.hasAborted(rank)) {
        this.system.sleepWhile(words, word, this.address + word * 4, seen, SLEEP_MS);
      }
      Atomics.store(words, this.sleepWord, 0);
      if (((Atomics.load(words, word) - step) | 0) >= 0) return;
      this.checkGroup(rank, word, step, call);
    }
  }

  /**
   * The clock of a collective starts when it first has to sleep: up to then it took no time worth
   * counting, and reading a clock in every call would cost more than a small collective.
   */
  private startClock(): void {
    if (this.timedCall === this.calls) return;
    this.timedCall = this.calls;
    this.startedAt = performance.now();
    this.warned = false;
  }

  private checkGroup(rank: number, word: number, step: number, call: number): void {
    const elapsed = performance.now() - this.startedAt;
    const awaited = this.notYetAt(rank, word, step);
    this.membership.checkPeers(call, awaited);
    if (elapsed > this.timeoutMs) {
      // It may have come while the others were looked at, or this rank itself was stopped.
      if (((Atomics.load(this.words, word) - step) | 0) >= 0) return;
      this.membership.failTimeout(call, this.furthestBehind(awaited, step), this.timeoutMs / 1000);
    }
    if (!this.warned && elapsed > this.timeoutMs / 2) {
      this.warned = true;
      const seconds = Math.round(elapsed / 1000);
      const late = this.furthestBehind(awaited, step);
      warn(storyOfWaiting(this.membership.rank, seconds, operationOf(call), late));
    }
  }

  /** All ranks that have not announced the step; `word` is where `rank`'s line for it begins. */
  private notYetAt(rank: number, word: number, step: number): number[] {
    const offset = word - (this.lineWords[rank] as number);
    const missing: number[] = [];
    this.lineWords.forEach((line, r) => {
      if (r === this.membership.rank) return;
      if (((Atomics.load(this.words, line + offset) - step) | 0) < 0) missing.push(r);
    });
    return missing;
  }

  /**
   * Of those who have not announced the step, the ones who wait for nobody. A rank waits only for steps
   * up to its own, so those with the earliest last step can go on; whoever is before them may wait for them.
   */
  private furthestBehind(missing: readonly number[], step: number): number[] {
    const lags = missing.map((rank) => this.lagOf(rank, step));
    const longest = Math.max(...lags);
    return missing.filter((_, i) => lags[i] === longest);
  }

  /** How many steps lie between the last one that the rank has announced and a later one. */
  private lagOf(rank: number, step: number): number {
    const first = (this.lineWords[rank] as number) + LINE.step;
    let lag = RING;
    for (let i = 0; i < RING; i++) {
      lag = Math.min(lag, (step - Atomics.load(this.words, first + i * LINE_WORDS)) | 0);
    }
    return lag;
  }
}
