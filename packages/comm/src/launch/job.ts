import { rmSync } from "node:fs";
import { describeExit, type EndCause, jobExitCode } from "./exit-code.js";
import type { LaunchSettings } from "./options.js";
import { JobOutput } from "./output/job-output.js";
import type { StreamName } from "./output/receivers.js";
import type { LaunchPlan } from "./plan.js";
import { errorCode } from "./process-group.js";
import { type LeaderExit, RankProcess } from "./rank-process.js";
import type { LaunchedJob, LaunchResult } from "./result.js";
import { forwardSignals } from "./signals.js";
import { type StartedProcess, startRank } from "./start-rank.js";
import { Watchdog } from "./watchdog.js";

/** npm passes on the SIGINT that the terminal has already sent to everybody: that is one, not two. */
const SAME_SIGNAL_MS = 1000;

const STREAMS: readonly StreamName[] = ["stdout", "stderr"];

/** The ranks together: one's failure, a signal or the time limit ends them all. */
export class Job implements LaunchedJob {
  readonly ranks: RankProcess[] = [];
  readonly done: Promise<LaunchResult>;

  readonly #settings: LaunchSettings;
  readonly #plan: LaunchPlan;
  readonly #output: JobOutput;
  readonly #watchdog: Watchdog;
  #cause: EndCause | undefined;
  #firstToFail: RankProcess | undefined;
  #interruptedAt: number | undefined;
  #ranksAreGone = false;
  #told: Promise<void> | undefined;
  #timers: NodeJS.Timeout[] = [];
  #stopForwarding = (): void => {};
  #finished: (result: Promise<LaunchResult>) => void = () => {};

  constructor(settings: LaunchSettings, plan: LaunchPlan) {
    this.#settings = settings;
    this.#plan = plan;
    this.#output = new JobOutput(settings.output, settings.ranks, settings.onNotice, (error) =>
      this.#outputBroke(error),
    );
    this.#watchdog = new Watchdog(settings.graceMs, plan.leftovers ?? []);
    this.done = new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  /** Starts every rank. If one cannot be, ends those that could and throws why. */
  async start(): Promise<void> {
    const { ranks, forwardSignals: forwards, timeoutMs } = this.#settings;
    if (forwards) this.#stopForwarding = forwardSignals(this);
    for (let rank = 0; rank < ranks; rank++) {
      const started = startRank(rank, this.#settings, this.#plan, this.#output);
      if (started instanceof Promise) {
        const reason = await started;
        this.#cause = { kind: "start failed" };
        for (const running of this.ranks) running.endNow();
        await this.#finish();
        throw reason;
      }
      this.#add(rank, started);
    }
    this.#plan.handedOver?.();
    if (timeoutMs !== undefined) this.#after(timeoutMs, () => this.#timeOut());
    this.#finished(this.#finish());
  }

  kill(signal: NodeJS.Signals): void {
    for (const rank of this.ranks) rank.kill(signal);
  }

  end(signal: NodeJS.Signals = "SIGTERM"): Promise<LaunchResult> {
    this.#end({ kind: "request" }, signal);
    return this.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  /** The first signal asks the ranks to end; another one, later, insists. */
  interrupt(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (this.#interruptedAt === undefined) {
      this.#interruptedAt = now;
      this.#end({ kind: "signal", signal }, signal);
      if (this.#ranksAreGone) this.#output.abandon();
    } else if (now - this.#interruptedAt > SAME_SIGNAL_MS) {
      for (const rank of this.ranks) rank.endNow();
      this.#output.abandon();
    }
  }

  #add(number: number, child: StartedProcess): void {
    this.#watchdog.watch(child.pid);
    const pipes = STREAMS.flatMap((stream) => {
      const source = child[stream];
      return source === null ? [] : [this.#output.connect(number, stream, source)];
    });
    const rank = new RankProcess(number, child, pipes, this.#settings.graceMs, (stream) =>
      this.#output.captured(number, stream),
    );
    this.ranks.push(rank);
    void rank.leaderExited.then((exit) => this.#rankEnded(rank, exit));
    void rank.groupEmptied.then(() => this.#watchdog.forget(rank.pid));
  }

  #rankEnded(rank: RankProcess, exit: LeaderExit): void {
    if (exit.code === 0 || this.#firstToFail !== undefined) return;
    this.#firstToFail = rank;
    if (this.#cause !== undefined) return;
    const endsOthers = this.#settings.endOnFailure && this.#settings.ranks > 1;
    const consequence = endsOthers ? "; ending the other ranks" : "";
    // Its own last words first.
    this.#told = rank.exited.then(() =>
      this.#output.notice(`rank ${rank.rank} ${describeExit(exit)}${consequence}.`),
    );
    if (this.#settings.endOnFailure) this.#end({ kind: "failure" }, "SIGTERM");
  }

  #timeOut(): void {
    if (this.#cause !== undefined || this.#ranksAreGone) return;
    const seconds = (this.#settings.timeoutMs ?? 0) / 1000;
    this.#output.notice(`the job was not done after ${seconds} s (its time limit); ending it.`);
    this.#end({ kind: "timeout" }, "SIGTERM");
  }

  #outputBroke(error: Error): void {
    const isClosedPipe = errorCode(error) === "EPIPE";
    if (!isClosedPipe) this.#output.notice(`cannot write the output: ${error.message}; ending.`);
    this.#end({ kind: "broken output", isClosedPipe }, "SIGTERM");
  }

  #end(cause: EndCause, signal: NodeJS.Signals): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    for (const rank of this.ranks) rank.end(signal);
    if (cause.kind === "signal" || cause.kind === "timeout") {
      // Whoever wants the end now does not want to wait for a reader that has stopped reading.
      this.#after(2 * this.#settings.graceMs + 1000, () => this.#output.abandon());
    }
  }

  async #finish(): Promise<LaunchResult> {
    await Promise.all(this.ranks.map((rank) => rank.groupEmptied));
    this.#ranksAreGone = true;
    const ranks = await Promise.all(this.ranks.map((rank) => rank.exited));
    await this.#told;
    this.#tellWhoWasKilled();
    this.#removeLeftovers();
    await this.#output.flush();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#stopForwarding();
    await this.#watchdog.dismiss();
    this.#plan.close();

    const failed = this.#firstToFail;
    const firstFailure = failed && ranks[failed.rank];
    const outputLost = this.#output.lost;
    return {
      code: jobExitCode(this.#cause, firstFailure, failed?.killed ?? false, outputLost),
      ranks,
      firstFailure,
      timedOut: this.#cause?.kind === "timeout",
      outputLost,
    };
  }

  #tellWhoWasKilled(): void {
    const killed = this.ranks.filter((rank) => rank.killed).map((rank) => rank.rank);
    if (killed.length === 0 || this.#cause?.kind === "start failed") return;
    const who = `rank${killed.length === 1 ? "" : "s"} ${killed.join(", ")}`;
    this.#output.notice(`${who} did not end when asked to and had to be killed.`);
  }

  #removeLeftovers(): void {
    for (const file of this.#plan.leftovers ?? []) {
      try {
        rmSync(file, { force: true });
      } catch (error) {
        this.#output.notice(`cannot remove ${file}: ${String(error)}`);
      }
    }
  }

  #after(ms: number, action: () => void): void {
    this.#timers.push(setTimeout(action, ms));
  }
}
