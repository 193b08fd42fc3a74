import { Deadline } from "../group/deadline.js";
import { operationOf } from "../group/fingerprint.js";
import type { Meter } from "../group/meter.js";
import type { Patience } from "../group/patience.js";
import { storyOfWaiting } from "../group/stories.js";
import { warn } from "../group/warning.js";
import type { SharedMemory } from "../memory/shared-memory.js";
import type { SharedMemorySystem } from "../memory/system.js";
import type { Advice, CoreKeeper } from "../processors/core-keeper.js";
import { type Layout, LINE, LINE_WORDS, RING } from "./layout.js";
import type { Membership } from "./membership.js";

/**
 * With a core for every rank, the others are usually about to arrive: spin for long, and then look
 * on as the core keeper advises. With fewer cores, the awaited rank may need this core: spin
 * briefly, then yield. Tuned with `npm run bench`; docs/shm-protocol.md has the figures.
 */
export function patienceFor(hasCoreEach: boolean): Patience {
  return hasCoreEach ? { looks: 20_000, yields: 3000 } : { looks: 50, yields: 200 };
}

/** How often a rank that keeps its core looks between two looks at the clock: about 10 µs. */
const ROUND = 500;

/** Sleeps are short, so that a lost wake-up costs little and a dead rank is noticed soon. */
const SLEEP_MS = 20;

/**
 * Waits for one rank's step: looks on if it has a core to itself, yields, then sleeps. Throws when
 * the group is broken.
 */
export class Waiting {
  private readonly words: Int32Array;
  private readonly address: number;
  private readonly system: SharedMemorySystem;
  readonly membership: Membership;
  private readonly sleepWord: number;
  private readonly lineWords: number[];
  readonly patience: Patience;
  /** Set where every rank has a core to itself. */
  private readonly keeper: CoreKeeper | undefined;
  /** Adds up the waiting time, if it is measured. */
  meter: Meter | undefined;
  private readonly deadline: Deadline;

  constructor(
    shared: SharedMemory,
    layout: Layout,
    membership: Membership,
    system: SharedMemorySystem,
    patience: Patience,
    keeper: CoreKeeper | undefined,
    timeoutMs: number,
  ) {
    this.words = new Int32Array(shared.buffer);
    this.address = shared.address;
    this.membership = membership;
    this.system = system;
    this.patience = patience;
    this.keeper = keeper;
    this.deadline = new Deadline(timeoutMs);
    this.sleepWord = layout.sleepWord(membership.rank) >> 2;
    this.lineWords = Array.from({ length: layout.size }, (_, r) => layout.lines(r) >> 2);
  }

  /** Starts a new collective and, with it, a new deadline. */
  open(): void {
    this.deadline.reset();
  }

  /**
   * Returns when the word in `rank`'s line shows `step` or a later step. The caller has already
   * spun, in the kernel.
   */
  untilAnnounced(rank: number, word: number, step: number, call: number): void {
    const { meter } = this;
    const start = meter === undefined ? 0 : performance.now();
    this.yieldOrSleep(rank, word, step, call);
    if (meter !== undefined) meter.waitedMs += performance.now() - start;
  }

  private yieldOrSleep(rank: number, word: number, step: number, call: number): void {
    const advice = this.keeper === undefined ? "let go" : this.look(this.keeper, rank, word, step);
    if (advice === "look") return;
    if (advice === "let go" && this.yield(word, step)) return;
    this.sleepUntilAnnounced(rank, word, step, call);
  }

  /** Looks for as long as the keeper advises. Returns `look` if the step has been announced. */
  private look(keeper: CoreKeeper, rank: number, word: number, step: number): Advice {
    const { words } = this;
    const awaited = () => this.notYetAt(rank, word, step);
    keeper.begin();
    for (;;) {
      for (let i = ROUND; i > 0; i--) {
        if (((Atomics.load(words, word) - step) | 0) >= 0) return "look";
      }
      const advice = keeper.advise(awaited);
      if (advice !== "look") return advice;
    }
  }

  /** Yields the core many times. Returns whether the step has been announced. */
  private yield(word: number, step: number): boolean {
    const { words } = this;
    for (let i = this.patience.yields; i > 0; i--) {
      this.system.yieldProcessor();
      if (((Atomics.load(words, word) - step) | 0) >= 0) return true;
    }
    return false;
  }

  /** Wakes all ranks that sleep on a word. */
  wake(word: number): void {
    this.system.wake(this.address + word * 4);
  }

  private sleepUntilAnnounced(rank: number, word: number, step: number, call: number): void {
    const { words } = this;
    this.deadline.start();
    for (;;) {
      Atomics.store(words, this.sleepWord, rank + 1);
      // A rank that announces without a fence may look for sleepers before its announcement is
      // visible. After this barrier, either that rank sees this sleeper or this rank sees the
      // announcement.
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

  private checkGroup(rank: number, word: number, step: number, call: number): void {
    const { deadline } = this;
    const elapsed = deadline.elapsedMs;
    const awaited = this.notYetAt(rank, word, step);
    this.membership.checkPeers(call, awaited);
    if (elapsed > deadline.timeoutMs) {
      // The step may have been announced during the checks above, or this process may have been
      // stopped.
      if (((Atomics.load(this.words, word) - step) | 0) >= 0) return;
      const late = this.furthestBehind(awaited, step);
      this.membership.failTimeout(call, late, deadline.secondsOf(elapsed));
    }
    if (deadline.isWarningDue(elapsed)) {
      const seconds = Math.round(elapsed / 1000);
      const late = this.furthestBehind(awaited, step);
      warn(storyOfWaiting(this.membership.rank, seconds, operationOf(call), late));
    }
  }

  /**
   * All ranks that have not announced the step. `word` is the first word of `rank`'s line for it.
   */
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
   * Of the ranks that have not announced the step, those that wait for no other rank. A rank waits
   * only for steps up to its own. So the ranks with the earliest last step are free to continue;
   * the ranks ahead of them may be waiting for them.
   */
  private furthestBehind(missing: readonly number[], step: number): number[] {
    const lags = missing.map((rank) => this.lagOf(rank, step));
    const longest = Math.max(...lags);
    return missing.filter((_, i) => lags[i] === longest);
  }

  /** How many steps `step` is ahead of the last one that the rank has announced. */
  private lagOf(rank: number, step: number): number {
    const first = (this.lineWords[rank] as number) + LINE.step;
    let lag = RING;
    for (let i = 0; i < RING; i++) {
      lag = Math.min(lag, (step - Atomics.load(this.words, first + i * LINE_WORDS)) | 0);
    }
    return lag;
  }
}
