import type { ChildProcess } from "node:child_process";
import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { checkTree } from "../files/confined-tree.js";
import type { Roots } from "../files/roots.js";
import type { Limits } from "../options.js";
import { Refusal } from "../refusal.js";
import { endTree } from "./end-tree.js";
import { EventTail, type RunProgress } from "./events.js";
import { findRuns } from "./find-runs.js";
import { findProcess } from "./processes.js";
import {
  eventsFile,
  makeRunDirectory,
  type RunSettings,
  type RunState,
  readState,
  writeState,
} from "./run-state.js";
import { startChild } from "./start-child.js";

type End = NonNullable<RunState["ended"]>;

/** A run that a client asks for. Paths are real and checked. */
export interface RunRequest {
  readonly case: string;
  readonly directory: string;
  readonly isNew: boolean;
  readonly ranks: number;
  readonly settings: RunSettings;
  readonly minutes: number;
}

/** How the keeper runs things. */
export interface KeeperOptions {
  readonly limits: Limits;
  readonly command: readonly string[];
  /** Whether runs end with the server. */
  readonly endsWithServer: boolean;
}

/** A run of this server or an earlier one. */
export interface KeptRun {
  readonly directory: string;
  readonly state: RunState;
  readonly isRunning: boolean;
  readonly progress: RunProgress;
}

interface Live {
  readonly child: ChildProcess;
  /** Settles when the process has ended and that is written down. */
  readonly ended: Promise<void>;
  why: End["why"];
}

const POLL_MS = 100;
/** A timer that is set for longer ends at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Starts runs and ends them. What it knows of a run lies in the run's directory, so that another server finds it, too; only the
 * processes it has started itself are kept here.
 */
export class RunKeeper {
  private readonly roots: Roots;
  private readonly options: KeeperOptions;
  private readonly live = new Map<string, Live>();
  private readonly tails = new Map<
    string,
    { readonly attempt: number; readonly tail: EventTail }
  >();
  /** Runs are started one after the other, so that two requests cannot both take the last place. */
  private starting: Promise<unknown> = Promise.resolve();

  constructor(roots: Roots, options: KeeperOptions) {
    this.roots = roots;
    this.options = options;
  }

  /** Starts a run, or goes on with one that was stopped. */
  start(request: RunRequest): Promise<KeptRun> {
    const started = this.starting.then(() => this.startNow(request));
    this.starting = started.catch(() => undefined);
    return started;
  }

  private async startNow(request: RunRequest): Promise<KeptRun> {
    const { directory, ranks, settings, minutes } = request;
    const { limits, command, endsWithServer } = this.options;
    const before = await readState(directory);
    if (before !== undefined && (await this.isRunning(directory, before))) {
      throw new Refusal(
        `${this.roots.shown(directory)} is running already`,
        "Follow it with run_status, or cancel it with cancel_run.",
      );
    }
    const running = await this.countRunning();
    if (running >= limits.runs) {
      throw new Refusal(
        `${running} runs are under way, and this server allows ${limits.runs}`,
        "Wait for one of them (run_status), or cancel one (cancel_run).",
      );
    }
    if (request.isNew) await makeRunDirectory(directory);
    else await checkTree(this.roots, directory, true);
    const from = await stat(eventsFile(directory)).then(
      ({ size }) => size,
      () => 0,
    );
    const plan = { command, ranks, settings, directory, memory: limits.memory, endsWithServer };
    const child = await startChild({ ...plan, case: request.case });
    const state: RunState = {
      version: 1,
      case: request.case,
      pid: child.pid,
      began: (await findProcess(child.pid))?.began ?? "",
      started_at: new Date().toISOString(),
      ranks,
      settings,
      events_from: from,
      attempts: (before?.attempts ?? 0) + 1,
      minutes,
      ended: null,
    };
    await writeState(directory, state);
    this.keep(directory, state, child);
    return await this.status(directory, state);
  }

  private keep(directory: string, state: RunState, child: ChildProcess): void {
    const exited = new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
      else child.once("exit", resolve);
    });
    const limit = setTimeout(
      () => void this.end(directory, "time_limit"),
      Math.min(state.minutes * 60_000, LONGEST_TIMER),
    );
    limit.unref();
    const ended = exited.then(async (code) => {
      clearTimeout(limit);
      const end: End = { at: new Date().toISOString(), why: live.why, code };
      // The directory may have been removed meanwhile.
      await writeState(directory, { ...state, ended: end }).catch(() => undefined);
      this.live.delete(directory);
    });
    const live: Live = { child, ended, why: "exited" };
    this.live.set(directory, live);
  }

  /** A run by its directory; `undefined` if no server started it. */
  async find(directory: string): Promise<KeptRun | undefined> {
    const state = await readState(directory);
    return state === undefined ? undefined : await this.status(directory, state);
  }

  private async status(directory: string, known: RunState): Promise<KeptRun> {
    const isRunning = await this.isRunning(directory, known);
    // It may have ended after its state was read.
    if (!isRunning) await this.live.get(directory)?.ended;
    const state = isRunning ? known : ((await readState(directory)) ?? known);
    let kept = this.tails.get(directory);
    if (kept === undefined || kept.attempt !== state.attempts) {
      const tail = new EventTail(eventsFile(directory), state.events_from);
      kept = { attempt: state.attempts, tail };
      this.tails.set(directory, kept);
    }
    return { directory, state, isRunning, progress: await kept.tail.read() };
  }

  /** Whether the process of a run lives: the one that was started, and not another that got its number. */
  private async isRunning(directory: string, { pid, began, ended }: RunState): Promise<boolean> {
    if (ended !== null) return false;
    const live = this.live.get(directory);
    if (live !== undefined) return live.child.exitCode === null && live.child.signalCode === null;
    const found = await findProcess(pid);
    return found !== undefined && found.began === began && found.command.includes(directory);
  }

  /** Ends a run at once. When this returns, its processes are gone. */
  async end(directory: string, why: Exclude<End["why"], "exited">): Promise<KeptRun | undefined> {
    const state = await readState(directory);
    if (state === undefined || !(await this.isRunning(directory, state))) return undefined;
    const live = this.live.get(directory);
    if (live !== undefined) {
      live.why = why;
      live.child.ref(); // until its end is written down, even if nothing else keeps this process
    }
    // Windows has no signals, and ranks end with their launcher there.
    if (process.platform === "win32") live?.child.kill("SIGKILL");
    else if (!(await endTree(state.pid, state.began))) {
      throw new Refusal(
        `process ${state.pid} of ${this.roots.shown(directory)} does not end`,
        "It is stuck in the system. Ask the person who runs the server to look at it.",
      );
    }
    await live?.ended;
    if (live === undefined) {
      const ended: End = { at: new Date().toISOString(), why, code: null };
      await writeState(directory, { ...state, ended });
    }
    return await this.find(directory);
  }

  /**
   * Waits until a run ends, the time is over or the client gives up; tells of every step.
   */
  async follow(
    directory: string,
    seconds: number,
    signal: AbortSignal,
    onProgress: (progress: RunProgress) => Promise<void>,
  ): Promise<KeptRun | undefined> {
    const end = performance.now() + 1000 * seconds;
    let told = "";
    for (;;) {
      const run = await this.find(directory);
      if (run === undefined) return undefined;
      const step = JSON.stringify(run.progress);
      if (step !== told) await onProgress(run.progress);
      told = step;
      if (!run.isRunning || signal.aborted || performance.now() >= end) return run;
      await sleep(POLL_MS);
    }
  }

  /** Takes up the time limits of runs that an earlier server left. */
  async adopt(): Promise<void> {
    for (const { directory } of await findRuns(this.roots)) {
      const state = await readState(directory);
      if (state === undefined || this.live.has(directory)) continue;
      if (!(await this.isRunning(directory, state))) continue;
      const left = Date.parse(state.started_at) + state.minutes * 60_000 - Date.now();
      setTimeout(
        () => void this.end(directory, "time_limit"),
        Math.min(Math.max(0, left), LONGEST_TIMER),
      ).unref();
    }
  }

  /** Ends the runs that this server started. */
  async endAll(): Promise<void> {
    await Promise.all([...this.live.keys()].map((one) => this.end(one, "server_ended")));
  }

  private async countRunning(): Promise<number> {
    const found = await findRuns(this.roots);
    const others = found.map(({ directory }) => directory).filter((one) => !this.live.has(one));
    const states = await Promise.all(
      others.map(async (one) => {
        const state = await readState(one);
        return state !== undefined && (await this.isRunning(one, state));
      }),
    );
    return this.live.size + states.filter(Boolean).length;
  }
}
