import { loadKoffi } from "../ffi/koffi.js";
import { debug } from "../group/debug.js";
import type { Patience } from "../group/patience.js";
import { type Decision, decide } from "./moving.js";
import { type Whereabouts, whereaboutsOf } from "./processes.js";
import { Scheduler, USUAL_TURN_MS } from "./scheduler.js";

/**
 * How many turns of the scheduler a rank looks before it lets its processor go. The awaited rank
 * may have lost its own processor to another program, which keeps it for a turn.
 */
const TURNS = 2;

/** When a waiting rank first looks where the others are, and how often it looks again. */
const FIRST_SURVEY_MS = 0.2;
const SURVEY_EVERY_MS = 1;

/** A round of looks that takes longer was interrupted: another program had this processor. */
const LONGEST_ROUND_MS = 0.3;

/** At most so many ranks are looked for: each takes about 10 µs. */
const MOST_OBSERVED = 32;

/** What to do next. */
export type Advice = "look" | "let go" | "sleep";

/**
 * How a rank waits that has a processor to itself.
 *
 * A rank that lets go early looks to the kernel as if it needed half a processor. Beside another
 * program that computes, the kernel then puts two such ranks on one processor and leaves them
 * there: each waits for the other to get a turn. So this rank keeps looking for as long as the
 * awaited rank may have to wait for its own turn. Only if that rank is on this very processor, this
 * one moves to another, or lets go if it may use no other.
 *
 * All of this happens after the first microseconds of waiting. A wait that is over by then costs
 * nothing.
 */
export class CoreKeeper {
  /** How long to look, in milliseconds. */
  readonly patienceMs: number;
  private readonly scheduler: Scheduler | undefined;
  private readonly pids: readonly (number | undefined)[];
  private readonly turnMs: number;
  private lookedMs = 0;
  private roundAt = 0;
  private nextSurveyMs = FIRST_SURVEY_MS;
  private movedAt = Number.NEGATIVE_INFINITY;
  private canMove: boolean;

  /** `pids` are the processes of the ranks of this machine, by rank; `undefined` for this one. */
  constructor(scheduler: Scheduler | undefined, pids: readonly (number | undefined)[]) {
    this.scheduler = scheduler;
    this.pids = pids;
    this.canMove = scheduler !== undefined;
    this.turnMs = scheduler?.turnMs() ?? USUAL_TURN_MS;
    this.patienceMs = TURNS * this.turnMs;
  }

  /** A rank has looked for the first microseconds, in vain. */
  begin(): void {
    this.lookedMs = 0;
    this.nextSurveyMs = FIRST_SURVEY_MS;
    this.roundAt = performance.now();
  }

  /** A round of looks was in vain. `awaited` lists the ranks that this one waits for. */
  advise(awaited: () => readonly number[]): Advice {
    const now = performance.now();
    const round = now - this.roundAt;
    this.roundAt = now;
    const wasInterrupted = round > LONGEST_ROUND_MS;
    // A rank that was interrupted has had its turn, however long it did not run. Where many programs
    // want this processor, it soon lets them.
    this.lookedMs += wasInterrupted ? this.turnMs : round;
    if (this.lookedMs >= this.patienceMs) return "sleep";
    if (this.lookedMs < this.nextSurveyMs && !wasInterrupted) return "look";
    this.nextSurveyMs = this.lookedMs + SURVEY_EVERY_MS;
    const advice = this.act(this.survey(now, awaited()));
    // What this took is no interruption.
    this.roundAt = performance.now();
    return advice;
  }

  private survey(now: number, awaited: readonly number[]): Decision {
    const { scheduler, canMove } = this;
    if (scheduler === undefined || !canMove) return "look";
    const waitedFor = awaited.slice(0, MOST_OBSERVED).flatMap((rank) => this.look(rank) ?? []);
    return decide({
      own: scheduler.currentProcessor(),
      allowed: scheduler.allowed() ?? [],
      awaited: waitedFor,
      taken: () => this.placesOfAll(),
      hasJustMoved: now - this.movedAt < this.turnMs,
    });
  }

  private act(decision: Decision): Advice {
    if (decision === "look" || decision === "let go") return decision;
    if (this.scheduler?.moveTo(decision)) {
      this.movedAt = performance.now();
      return "look";
    }
    debug(undefined, "the system does not let this rank move to another processor");
    this.canMove = false;
    return "let go";
  }

  private placesOfAll(): number[] {
    const ranks = [...this.pids.keys()].slice(0, MOST_OBSERVED);
    return ranks.flatMap((rank) => this.look(rank)?.processor ?? []);
  }

  private look(rank: number): Whereabouts | undefined {
    const pid = this.pids[rank];
    return pid === undefined ? undefined : whereaboutsOf(pid);
  }
}

/** The keeper of this rank. `pids` are the processes of the other ranks of this machine, by rank. */
export async function keeperFor(pids: readonly (number | undefined)[]): Promise<CoreKeeper> {
  return new CoreKeeper(Scheduler.of(await loadKoffi()), pids);
}

/** How a rank waits, in words. */
export function describeWaiting(patience: Patience, keeper: CoreKeeper | undefined): string {
  const { looks, yields } = patience;
  if (keeper === undefined) return `${looks} looks, ${yields} yields, then sleep`;
  return `${looks} looks, ${keeper.patienceMs} ms without letting go, then sleep`;
}
