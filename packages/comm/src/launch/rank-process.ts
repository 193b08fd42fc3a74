import type { RankPipe } from "./output/rank-pipe.js";
import type { StreamName } from "./output/receivers.js";
import { groupRuns, signalGroup } from "./process-group.js";
import type { LaunchedRank, RankExit } from "./result.js";
import type { StartedProcess } from "./start-rank.js";

const FIRST_POLL_MS = 5;
const SLOWEST_POLL_MS = 100;

/**
 * A process stuck in the kernel (a dead network disk) ignores even SIGKILL. The launcher then stops
 * waiting for it.
 */
const UNKILLABLE_MS = 5000;

/** How the rank's own process ended. */
export interface LeaderExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A rank: the process that was started, and everything it starts in its process group. */
export class RankProcess implements LaunchedRank {
  readonly rank: number;
  readonly pid: number;
  /** Settles when the rank's own process has ended. */
  readonly leaderExited: Promise<LeaderExit>;
  /** Settles when its process group is empty. */
  readonly groupEmptied: Promise<void>;
  readonly exited: Promise<RankExit>;
  /** Whether the rank's own process had to be killed because it did not end when asked to. */
  killed = false;

  readonly #graceMs: number;
  readonly #pipes: readonly RankPipe[];
  readonly #child: StartedProcess;
  #leaderRuns = true;
  #groupIsEmpty = false;
  #wasAskedToEnd = false;
  #patience: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #leaderEnded: (exit: LeaderExit) => void = () => {};
  #groupEnded: () => void = () => {};

  /** `captured` returns the captured text of a stream. */
  constructor(
    rank: number,
    child: StartedProcess,
    pipes: readonly RankPipe[],
    graceMs: number,
    captured: (stream: StreamName) => string,
  ) {
    this.rank = rank;
    this.pid = child.pid;
    this.#child = child;
    this.#pipes = pipes;
    this.#graceMs = graceMs;
    this.leaderExited = new Promise((resolve) => {
      this.#leaderEnded = resolve;
    });
    this.groupEmptied = new Promise((resolve) => {
      this.#groupEnded = resolve;
    });
    this.exited = this.#awaitEnd(captured);
    child.once("exit", (code, signal) => {
      this.#leaderRuns = false;
      this.#leaderEnded({ code, signal });
      this.#sweep(FIRST_POLL_MS);
    });
  }

  kill(signal: NodeJS.Signals): boolean {
    return !this.#groupIsEmpty && signalGroup(this.pid, signal);
  }

  /** Asks the group to end, once, and kills it after the grace time. */
  end(signal: NodeJS.Signals): void {
    if (this.#wasAskedToEnd || this.#groupIsEmpty) return;
    this.#wasAskedToEnd = true;
    this.kill(signal);
    this.kill("SIGCONT"); // a stopped process cannot handle the signal
    this.#patience = setTimeout(() => this.endNow(), this.#graceMs);
  }

  /** Kills the group. */
  endNow(): void {
    if (this.#groupIsEmpty) return;
    clearTimeout(this.#patience);
    this.#wasAskedToEnd = true;
    this.killed ||= this.#leaderRuns;
    this.kill("SIGKILL");
    this.#patience = setTimeout(() => this.#forsake(), UNKILLABLE_MS);
  }

  /** After the rank's own process has ended: ends the rest of its group. */
  #sweep(waitMs: number): void {
    if (this.#groupIsEmpty) return;
    if (!groupRuns(this.pid)) {
      this.#emptied();
      return;
    }
    this.end("SIGTERM");
    this.#poll = setTimeout(() => this.#sweep(Math.min(2 * waitMs, SLOWEST_POLL_MS)), waitMs);
  }

  #forsake(): void {
    this.#leaderEnded({ code: null, signal: "SIGKILL" });
    this.#child.unref();
    this.#emptied();
  }

  #emptied(): void {
    clearTimeout(this.#patience);
    clearTimeout(this.#poll);
    this.#groupIsEmpty = true;
    this.#groupEnded();
  }

  async #awaitEnd(captured: (stream: StreamName) => string): Promise<RankExit> {
    const leader = await this.leaderExited;
    await this.groupEmptied;
    for (const pipe of this.#pipes) pipe.settle();
    await Promise.all(this.#pipes.map((pipe) => pipe.closed));
    return {
      rank: this.rank,
      pid: this.pid,
      ...leader,
      stdout: captured("stdout"),
      stderr: captured("stderr"),
    };
  }
}
