import { rmSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Binder } from "./binding.js";
import type { Conductor } from "./conductor.js";
import { rankEnvironment } from "./environment.js";
import { describeExit, type EndCause, exitCodeOf, jobExitCode } from "./exit-code.js";
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

/**
 * npm forwards a SIGINT that the terminal has already sent to all processes: the two count as one.
 */
const SAME_SIGNAL_MS = 1000;

const STREAMS: readonly StreamName[] = ["stdout", "stderr"];

/** A program exits with this that was told of another rank's end, and of much else. */
const COMMON_FAILURE = 1;

interface Failure {
  readonly rank: RankProcess;
  readonly exit: LeaderExit;
}

/** All ranks of a job. The failure of one rank, a signal or the time limit ends them all. */
export class Job implements LaunchedJob {
  readonly ranks: RankProcess[] = [];
  readonly done: Promise<LaunchResult>;

  readonly #settings: LaunchSettings;
  readonly #plan: LaunchPlan;
  readonly #binder: Binder | undefined;
  readonly #output: JobOutput;
  readonly #watchdog: Watchdog;
  #conductor: Conductor | undefined;
  #cause: EndCause | undefined;
  /** The failures that the launcher has learnt of in the same turn of its event loop, in the order of the ranks. */
  readonly #firstFailures: Failure[] = [];
  #firstToFail: RankProcess | undefined;
  #interruptedAt: number | undefined;
  #ranksAreGone = false;
  #told: Promise<void> | undefined;
  #timers: NodeJS.Timeout[] = [];
  #stopForwarding = (): void => {};
  #finished: (result: Promise<LaunchResult>) => void = () => {};

  constructor(settings: LaunchSettings, plan: LaunchPlan, binder: Binder | undefined) {
    this.#settings = settings;
    this.#plan = plan;
    this.#binder = binder;
    this.#output = new JobOutput(settings.output, settings.ranks, settings.onNotice, (error) =>
      this.#outputBroke(error),
    );
    this.#watchdog = new Watchdog(settings.graceMs, plan.leftovers ?? []);
    this.done = new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  /** Starts every rank. If one cannot be started, ends the others and throws the reason. */
  async start(): Promise<void> {
    const { ranks, forwardSignals: forwards, timeoutMs } = this.#settings;
    if (forwards) this.#stopForwarding = forwardSignals(this);
    try {
      if (this.#plan.conduct !== undefined) await this.#startTogether(this.#plan.conduct);
      else await this.#startOneByOne(ranks);
    } catch (reason) {
      this.#cause ??= { kind: "start failed" };
      for (const running of this.ranks) running.endNow();
      await this.#finish();
      throw reason;
    }
    this.#plan.handedOver?.();
    if (timeoutMs !== undefined) this.#after(timeoutMs, () => this.#timeOut());
    this.#finished(this.#finish());
  }

  async #startOneByOne(ranks: number): Promise<void> {
    for (let rank = 0; rank < ranks; rank++) {
      const started = startRank(rank, this.#settings, this.#plan, this.#binder, this.#output);
      if (started instanceof Promise) throw await started;
      this.#add(rank, started);
    }
  }

  async #startTogether(conduct: NonNullable<LaunchPlan["conduct"]>): Promise<void> {
    const settings = this.#settings;
    const environments = Array.from({ length: settings.ranks }, (_, rank) =>
      rankEnvironment(rank, settings, this.#plan, undefined, process.env),
    );
    const stdio = (stream: StreamName) => this.#output.stdio(stream);
    const notice = (message: string) => this.#output.notice(message);
    const conductor = conduct({ settings, environments, stdio, notice });
    this.#conductor = conductor;
    this.#watchdog.watch(conductor.pid);
    const started = await conductor.started;
    started.forEach((child, rank) => {
      this.#add(rank, child);
    });
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

  /** The first signal asks the ranks to end. A later one kills them. */
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
    const failure = { rank, exit };
    this.#firstFailures.push(failure);
    if (this.#firstFailures.length > 1) return;
    // A launcher that had no core for a moment learns of several failures at once, and nothing tells which was the first.
    this.#told = nextTurn().then(() => this.#failed(failure));
  }

  async #failed(first: Failure): Promise<void> {
    const tellsMore = this.#firstFailures.find((failure) => failure.exit.code !== COMMON_FAILURE);
    const { rank, exit } = tellsMore ?? first;
    this.#firstToFail = rank;
    if (this.#cause !== undefined) return;
    const endsOthers = this.#settings.endOnFailure && this.#settings.ranks > 1;
    const consequence = endsOthers ? "; ending the other ranks" : "";
    if (this.#settings.endOnFailure) this.#end({ kind: "failure" }, "SIGTERM");
    // After the rank's own last output.
    await rank.exited;
    this.#output.notice(`rank ${rank.rank} ${describeExit(exit)}${consequence}.`);
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
    if (this.ranks.length === 0) this.#conductor?.end();
    if (cause.kind === "signal" || cause.kind === "timeout") {
      // The job has to end now: do not wait for a reader that has stopped reading.
      this.#after(2 * this.#settings.graceMs + 1000, () => this.#output.abandon());
    }
  }

  async #finish(): Promise<LaunchResult> {
    await Promise.all(this.ranks.map((rank) => rank.groupEmptied));
    this.#ranksAreGone = true;
    const ranks = await Promise.all(this.ranks.map((rank) => rank.exited));
    await this.#told;
    const conductorExit = await this.#dismissConductor();
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
      code: jobExitCode(
        this.#cause,
        firstFailure ?? conductorExit,
        failed?.killed ?? false,
        outputLost,
      ),
      ranks,
      firstFailure,
      timedOut: this.#cause?.kind === "timeout",
      outputLost,
    };
  }

  /** How the program that started the ranks ended, if it failed without being told to end. */
  async #dismissConductor(): Promise<LeaderExit | undefined> {
    if (this.#conductor === undefined) return undefined;
    const exit = await this.#conductor.dismiss();
    this.#watchdog.forget(this.#conductor.pid);
    if (exitCodeOf(exit) === 0 || this.#cause !== undefined) return undefined;
    if (this.#firstToFail === undefined) {
      this.#output.notice(`${this.#conductor.name} ${describeExit(exit)}.`);
    }
    return exit;
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
        rmSync(file, { force: true, recursive: true });
      } catch (error) {
        this.#output.notice(`cannot remove ${file}: ${String(error)}`);
      }
    }
  }

  #after(ms: number, action: () => void): void {
    this.#timers.push(setTimeout(action, ms));
  }
}
