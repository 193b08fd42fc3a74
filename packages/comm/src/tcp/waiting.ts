import { PollSet, READABLE, type Sockets, WRITABLE } from "../ffi/sockets.js";
import { Deadline } from "../group/deadline.js";
import { operationOf } from "../group/fingerprint.js";
import type { Meter } from "../group/meter.js";
import type { Patience } from "../group/patience.js";
import { storyOfWaiting } from "../group/stories.js";
import { warn } from "../group/warning.js";
import type { CoreKeeper } from "../processors/core-keeper.js";
import type { Link } from "./link.js";
import type { Membership } from "./membership.js";

/**
 * With a core for every rank of this machine, poll many times: waking up takes longer than a round
 * trip. With fewer cores, the rank that this one waits for may need this core. Tuned with
 * `npm run bench`.
 */
export function patienceFor(isCrowded: boolean): Patience {
  return isCrowded ? { looks: 1, yields: 100 } : { looks: 2000, yields: 100 };
}

/** How often a rank that keeps its core polls first, and then between two looks at the clock. */
const FIRST_LOOKS = 200;
const ROUND = 20;

/** Sleeps are bounded, so that the clock is checked. */
const SLEEP_MS = 100;

/** The longest sleep while an inquiry runs: the clock is checked more often. */
const SHORT_SLEEP_MS = 20;

/** How long before the deadline the inquiry begins, so that its result is known at the deadline. */
const LEAD_MS = 500;
/** The part of that time in which workers may answer. */
const ANSWERING = 0.7;
/**
 * How much longer than the deadline, as a part of that time, a worker waits for the coordinator's
 * result.
 */
const TELLING = 0.1;

/** What a rank does while nothing moves: it polls, yields, sleeps, and in the end gives up. */
export class Waiting {
  private readonly sockets: Sockets;
  private readonly membership: Membership;
  private readonly looks: number;
  private readonly yields: number;
  /** Set where every rank of this machine has a core to itself. */
  private readonly keeper: CoreKeeper | undefined;
  /** Whether this wait has begun to follow the keeper's advice, and whether it still does. */
  private isKeeping = false;
  private isPatient = true;
  /** Counts the time spent waiting, if it is measured. */
  meter: Meter | undefined;
  private readonly deadline: Deadline;
  private readonly leadMs: number;
  private readonly set = new PollSet();
  /** The links in the set, in the same order. */
  private readonly polled: Link[] = [];
  private idles = 0;
  /** When the inquiry began; on a worker, when it asked the coordinator for one. */
  private inquiredAt: number | undefined;

  constructor(
    sockets: Sockets,
    membership: Membership,
    patience: Patience,
    keeper: CoreKeeper | undefined,
    timeoutMs: number,
  ) {
    this.sockets = sockets;
    this.membership = membership;
    this.looks = keeper === undefined ? patience.looks : FIRST_LOOKS;
    this.yields = patience.yields;
    this.keeper = keeper;
    this.deadline = new Deadline(timeoutMs);
    this.leadMs = Math.min(LEAD_MS, timeoutMs / 2);
  }

  /** Begins a new collective, with a new deadline. */
  open(): void {
    this.moved();
    this.deadline.reset();
  }

  /** Something has moved, so more will probably move soon: start polling again. */
  moved(): void {
    this.idles = 0;
    this.isKeeping = false;
    this.isPatient = true;
  }

  /** Nothing has moved. Returns when it is worth looking again. */
  idle(awaited: () => readonly number[]): void {
    const { meter } = this;
    const start = meter === undefined ? 0 : performance.now();
    this.lookOrSleep(awaited);
    if (meter !== undefined) meter.waitedMs += performance.now() - start;
  }

  private lookOrSleep(awaited: () => readonly number[]): void {
    const { sockets, set } = this;
    this.gather();
    if (this.poll() || this.keepPolling(awaited) || this.yieldAndPoll()) {
      this.note();
      return;
    }
    this.startClock();
    if (sockets.wait(set, Math.min(this.longestSleep(), this.leadMs / 5))) this.note();
    this.membership.watch();
    this.checkTime(awaited);
  }

  /** Whether something has come; poll does not get in the way of a rank that is about to send. */
  private poll(): boolean {
    while (this.idles < this.looks) {
      this.idles++;
      if (this.sockets.wait(this.set, 0)) return true;
    }
    return false;
  }

  /** Polls for as long as the keeper advises. */
  private keepPolling(awaited: () => readonly number[]): boolean {
    const { keeper, sockets, set } = this;
    if (keeper === undefined) return false;
    if (!this.isKeeping) keeper.begin();
    this.isKeeping = true;
    while (this.isPatient) {
      for (let i = 0; i < ROUND; i++) if (sockets.wait(set, 0)) return true;
      const advice = keeper.advise(awaited);
      this.isPatient = advice === "look";
      // To yield is only of use to a rank on this core.
      if (advice === "sleep") this.idles = this.looks + this.yields;
    }
    return false;
  }

  private yieldAndPoll(): boolean {
    while (this.idles < this.looks + this.yields) {
      this.idles++;
      this.sockets.yieldProcessor();
      if (this.sockets.wait(this.set, 0)) return true;
    }
    return false;
  }

  private longestSleep(): number {
    return this.inquiredAt === undefined ? SLEEP_MS : SHORT_SLEEP_MS;
  }

  /** Collects the sockets to wait for: all that may bring data, and those with data to send. */
  private gather(): void {
    const { set, membership, polled } = this;
    set.clear();
    polled.length = 0;
    for (const link of membership.links) {
      const reading = link.hasEnded || link.isFull || link.isPaused ? 0 : READABLE;
      const writing = link.isSending && !link.isDeaf ? WRITABLE : 0;
      if (reading + writing === 0) continue;
      set.add(link.fd, reading | writing);
      polled.push(link);
    }
  }

  /**
   * Marks the links that the kernel reports. An error marks both directions; the next read or write
   * finds it.
   */
  private note(): void {
    const { set, polled } = this;
    for (let i = 0; i < polled.length; i++) {
      const found = set.found(i);
      if (found === 0) continue;
      const link = polled[i] as Link;
      if ((found & ~WRITABLE) !== 0) link.isReadable = true;
      if ((found & ~READABLE) !== 0) link.isBlocked = false;
    }
  }

  private startClock(): void {
    if (!this.deadline.start()) return;
    this.inquiredAt = undefined;
    this.membership.isAsked = false;
  }

  private checkTime(awaited: () => readonly number[]): void {
    const { membership, deadline } = this;
    const now = performance.now();
    const elapsed = deadline.elapsedMs;
    if (deadline.isWarningDue(elapsed)) {
      const seconds = Math.round(elapsed / 1000);
      const operation = operationOf(membership.call);
      warn(storyOfWaiting(membership.rank, seconds, operation, awaited()));
    }
    if (membership.rank === 0) this.judge(now, elapsed, awaited);
    else this.askForJudgement(now, elapsed);
  }

  /**
   * On rank 0. The rank that this one waits for need not be the late one: it may itself be waiting.
   * So rank 0, which reaches all workers, asks them all. Workers that do not answer are missing.
   */
  private judge(now: number, elapsed: number, awaited: () => readonly number[]): void {
    const { membership } = this;
    if (this.inquiredAt === undefined) {
      if (elapsed <= this.deadline.timeoutMs - this.leadMs && !membership.isAsked) return;
      membership.inquire();
      this.inquiredAt = now;
      return;
    }
    if (now - this.inquiredAt < ANSWERING * this.leadMs) return;
    const workers = membership.spokes.map((link) => link.rank);
    const silent = workers.filter((rank) => !membership.answered.has(rank));
    const seconds = this.deadline.secondsOf(elapsed);
    membership.failTimeout(silent.length > 0 ? silent : awaited(), seconds);
  }

  private askForJudgement(now: number, elapsed: number): void {
    const { membership } = this;
    if (elapsed <= this.deadline.timeoutMs - this.leadMs) return;
    if (this.inquiredAt === undefined) {
      const coordinator = membership.star[0];
      if (coordinator !== undefined) membership.tellWaiting(coordinator);
      this.inquiredAt = now;
      return;
    }
    if (elapsed > this.deadline.timeoutMs + TELLING * this.leadMs) {
      membership.failTimeout([0], this.deadline.secondsOf(elapsed));
    }
  }
}
