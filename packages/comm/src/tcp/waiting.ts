import { PollSet, READABLE, type Sockets, WRITABLE } from "../ffi/sockets.js";
import { operationOf } from "../group/fingerprint.js";
import { storyOfWaiting } from "../group/stories.js";
import { warn } from "../group/warning.js";
import type { Link } from "./link.js";
import type { Membership } from "./membership.js";

/** How often a rank looks before it yields its core, and how often it yields before it sleeps. */
export interface Patience {
  readonly looks: number;
  readonly yields: number;
}

/**
 * With a core for every rank of this machine, look hard: being woken takes longer than a round trip.
 * With fewer cores, the one waited for may need this core. Tuned by `npm run bench`.
 */
export function patienceFor(isCrowded: boolean): Patience {
  return isCrowded ? { looks: 1, yields: 100 } : { looks: 2000, yields: 100 };
}

/** A sleep is bounded, so that clocks are looked at. */
const SLEEP_MS = 100;

/** That what was lent has been read, nobody tells: it has to be looked at. */
const SETTLING_SLEEP_MS = 1;

/** While it is found out who is missing, clocks are looked at more often. */
const SHORT_SLEEP_MS = 20;

/** So long before the deadline it begins to be found out who is missing, so that all know it then. */
const LEAD_MS = 500;
/** The part of that time in which ranks may answer. */
const ANSWERING = 0.7;
/** After the deadline, a worker gives the coordinator this part of it more to tell what it found. */
const TELLING = 0.1;

/** What a rank does while nothing moves: looks again, yields, sleeps, and gives up in the end. */
export class Waiting {
  private readonly sockets: Sockets;
  private readonly membership: Membership;
  private readonly patience: Patience;
  private readonly timeoutMs: number;
  private readonly leadMs: number;
  private readonly set = new PollSet();
  /** The links in the set, in its order. */
  private readonly polled: Link[] = [];
  private idles = 0;
  private isTimed = false;
  private startedAt = 0;
  private warned = false;
  /** When the inquiry began, or when the coordinator was asked for one. */
  private inquiredAt: number | undefined;

  constructor(sockets: Sockets, membership: Membership, patience: Patience, timeoutMs: number) {
    this.sockets = sockets;
    this.membership = membership;
    this.patience = patience;
    this.timeoutMs = timeoutMs;
    this.leadMs = Math.min(LEAD_MS, timeoutMs / 2);
  }

  /** A new collective begins, and with it a new deadline. */
  open(): void {
    this.idles = 0;
    this.isTimed = false;
  }

  /** Something has moved: the next thing will probably do so soon. */
  moved(): void {
    this.idles = 0;
  }

  /** Nothing has moved. Returns when it is worth looking again. */
  idle(awaited: () => readonly number[]): void {
    const { looks, yields } = this.patience;
    const { sockets, set } = this;
    this.gather("look");
    // Asking whether there is something does not disturb whoever is about to put it there.
    while (this.idles < looks + yields) {
      this.idles++;
      if (this.idles > looks) sockets.yieldProcessor();
      if (sockets.wait(set, 0)) {
        this.note();
        return;
      }
    }
    this.startClock();
    this.gather("sleep");
    if (sockets.wait(set, Math.min(this.longestSleep(), this.leadMs / 5))) this.note();
    this.membership.watch();
    this.checkTime(awaited);
  }

  private longestSleep(): number {
    for (const link of this.membership.links) if (link.isSettling) return SETTLING_SLEEP_MS;
    return this.inquiredAt === undefined ? SLEEP_MS : SHORT_SLEEP_MS;
  }

  /**
   * What there is to wait for: everything that can still come, and whatever is to go out. That something was read the kernel says
   * before all of it was: worth a look, but nobody could sleep.
   */
  private gather(purpose: "look" | "sleep"): void {
    const { set, membership, polled } = this;
    set.clear();
    polled.length = 0;
    for (const link of membership.links) {
      const reading = link.hasEnded || link.isFull || link.isPaused ? 0 : READABLE;
      const isOutgoing = link.isSending || (link.isSettling && purpose === "look");
      const writing = isOutgoing && !link.isDeaf ? WRITABLE : 0;
      if (reading + writing === 0) continue;
      set.add(link.fd, reading | writing);
      polled.push(link);
    }
  }

  /** Tells the links what the kernel has for them; an error is found by whoever tries. */
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

  /** The clock of a collective starts when it first has to sleep; up to then it took no time. */
  private startClock(): void {
    if (this.isTimed) return;
    this.isTimed = true;
    this.startedAt = performance.now();
    this.warned = false;
    this.inquiredAt = undefined;
    this.membership.isAsked = false;
  }

  private checkTime(awaited: () => readonly number[]): void {
    const { membership } = this;
    const now = performance.now();
    const elapsed = now - this.startedAt;
    if (!this.warned && elapsed > this.timeoutMs / 2) {
      this.warned = true;
      const seconds = Math.round(elapsed / 1000);
      const operation = operationOf(membership.call);
      warn(storyOfWaiting(membership.rank, seconds, operation, awaited()));
    }
    if (membership.rank === 0) this.judge(now, elapsed, awaited);
    else this.askForJudgement(now, elapsed);
  }

  /**
   * Who is late is not who this rank waits for: that one may wait itself. So all are asked, by the
   * one rank that reaches everybody; who does not answer is missing.
   */
  private judge(now: number, elapsed: number, awaited: () => readonly number[]): void {
    const { membership } = this;
    if (this.inquiredAt === undefined) {
      if (elapsed <= this.timeoutMs - this.leadMs && !membership.isAsked) return;
      membership.inquire();
      this.inquiredAt = now;
      return;
    }
    if (now - this.inquiredAt < ANSWERING * this.leadMs) return;
    const workers = membership.spokes.map((link) => link.rank);
    const silent = workers.filter((rank) => !membership.answered.has(rank));
    membership.failTimeout(silent.length > 0 ? silent : awaited(), this.timeoutMs / 1000);
  }

  private askForJudgement(now: number, elapsed: number): void {
    const { membership } = this;
    if (elapsed <= this.timeoutMs - this.leadMs) return;
    if (this.inquiredAt === undefined) {
      const coordinator = membership.star[0];
      if (coordinator !== undefined) membership.tellWaiting(coordinator);
      this.inquiredAt = now;
      return;
    }
    if (elapsed > this.timeoutMs + TELLING * this.leadMs) {
      membership.failTimeout([0], this.timeoutMs / 1000);
    }
  }
}
