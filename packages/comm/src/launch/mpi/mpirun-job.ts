import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { InitializationFailed } from "../../errors/backend-error.js";
import type { Conductor, Score } from "../conductor.js";
import { describeExit } from "../exit-code.js";
import { LineSplitter, textOf } from "../output/line-splitter.js";
import type { StreamName } from "../output/receivers.js";
import { processRuns, signalGroup } from "../process-group.js";
import type { LeaderExit } from "../rank-process.js";
import type { StartedProcess } from "../start-rank.js";
import { ConductedRank } from "./conducted-rank.js";
import type { Mpirun } from "./mpirun.js";
import { mpirunArguments } from "./mpirun.js";
import {
  agentScript,
  CONTROL_VARIABLE,
  FILES,
  parseReport,
  quote,
  rankWords,
} from "./rank-agent.js";

const STREAMS: readonly StreamName[] = ["stdout", "stderr"];

/**
 * mpirun usually starts its ranks within a second. On an overloaded machine it may take this long.
 */
const START_LIMIT_MS = 60_000;

/**
 * How often to check that ranks are alive. Only a rank killed together with its agent ends without
 * a report.
 */
const ROLL_CALL_MS = 50;

/** How many lines of mpirun's output an error quotes. */
const QUOTED_LINES = 20;

/** One run of mpirun, and the ranks that the agents report. */
export class MpirunJob implements Conductor {
  readonly name: string;
  readonly pid: number;
  readonly started: Promise<readonly StartedProcess[]>;

  readonly #child: ChildProcess;
  readonly #score: Score;
  readonly #folder: string;
  readonly #control: Socket;
  /**
   * The launcher's ends of the ranks' streams that are not read yet, by the names of their pipes.
   */
  readonly #unread = new Map<string, number>();
  readonly #ranks: ConductedRank[] = [];
  readonly #exited: Promise<LeaderExit>;
  readonly #said: string[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  #allStarted: (ranks: readonly StartedProcess[]) => void = () => {};
  #notStarted: (reason: Error) => void = () => {};

  /**
   * `binding` are arguments of mpirun; `removed` are variables of `env` that ranks must not see.
   */
  constructor(
    mpirun: Mpirun,
    folder: string,
    binding: readonly string[],
    env: Readonly<Record<string, string>>,
    removed: readonly string[],
    score: Score,
  ) {
    this.#score = score;
    this.#folder = folder;
    const { settings, stdio } = score;
    this.name = mpirun.file;
    this.#writeFiles(env, removed);
    this.#control = this.#listen();
    this.started = new Promise((resolve, reject) => {
      this.#allStarted = resolve;
      this.#notStarted = reject;
    });

    const args = mpirunArguments(mpirun, settings.ranks, binding, folder);
    const { file, args: rest } = settings;
    score.notice(`running ${[mpirun.file, ...args, file, ...rest].map(quote).join(" ")}`);
    try {
      this.#openStreams();
      this.#child = spawn(mpirun.file, [...args, "sh", join(folder, FILES.agent)], {
        cwd: settings.cwd,
        env,
        detached: true,
        stdio: [settings.stdin, stdio("stdout"), stdio("stderr")],
      });
    } catch (error) {
      this.#closePipes();
      throw error;
    }
    this.pid = this.#child.pid ?? 0;
    this.#exited = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#fail(`could not be started: ${error.message}`);
        resolve({ code: 127, signal: null });
      });
      this.#child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    for (const stream of STREAMS) this.#passOn(stream);
    void this.#exited.then((exit) => this.#mpirunEnded(exit));
    this.#after(START_LIMIT_MS, () => {
      this.#fail(`did not start all ranks in ${START_LIMIT_MS / 1000} s`);
    });
  }

  end(): void {
    signalGroup(this.pid, "SIGTERM");
    signalGroup(this.pid, "SIGCONT");
    this.#after(this.#score.settings.graceMs, () => signalGroup(this.pid, "SIGKILL"));
  }

  async dismiss(): Promise<LeaderExit> {
    // mpirun ends by itself when its ranks have ended.
    this.#after(this.#score.settings.graceMs, () => this.end());
    const exit = await this.#exited;
    // If mpirun was killed, its helpers may still run.
    signalGroup(this.pid, "SIGKILL");
    for (const timer of this.#timers) clearTimeout(timer);
    this.#closePipes();
    return exit;
  }

  #closePipes(): void {
    this.#control.destroy();
    for (const fd of this.#unread.values()) closeSync(fd);
    this.#unread.clear();
  }

  #writeFiles(env: Readonly<Record<string, string>>, removed: readonly string[]): void {
    const { settings, environments, stdio } = this.#score;
    const piped = STREAMS.filter((stream) => stdio(stream) === "pipe");
    const at = (file: string) => join(this.#folder, file);
    writeFileSync(at(FILES.agent), agentScript(this.#folder, piped));
    const pipes = [at(FILES.control)];
    environments.forEach((environment, rank) => {
      const command = [settings.file, ...settings.args];
      const variables = { ...environment, [CONTROL_VARIABLE]: at(FILES.control) };
      writeFileSync(at(FILES.words(rank)), rankWords(command, variables, env, removed));
      pipes.push(...piped.map((stream) => at(FILES.stream(stream, rank))));
    });
    const { status, stderr, error } = spawnSync("mkfifo", ["-m", "600", ...pipes]);
    if (status === 0) return;
    const why = error?.message ?? stderr.toString().trim();
    throw new InitializationFailed("mpi", `named pipes cannot be made in ${this.#folder}: ${why}`);
  }

  /**
   * Reads what the agents report. The pipe is also opened for writing, so that it never reaches
   * end-of-file.
   */
  #listen(): Socket {
    const splitter = new LineSplitter();
    const path = join(this.#folder, FILES.control);
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const control = new Socket({ fd, readable: true, writable: false });
    control.on("data", (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.#heard(textOf(line));
    });
    return control;
  }

  /** Opens the launcher's ends of the ranks' streams, so that no rank waits for a reader. */
  #openStreams(): void {
    const { environments, stdio } = this.#score;
    for (const stream of STREAMS) {
      if (stdio(stream) === "inherit") continue;
      for (let rank = 0; rank < environments.length; rank++) {
        const pipe = FILES.stream(stream, rank);
        const flags = constants.O_RDONLY | constants.O_NONBLOCK;
        this.#unread.set(pipe, openSync(join(this.#folder, pipe), flags));
      }
    }
  }

  /** The stream of a rank. It ends when the rank closes its end. */
  #reader(stream: StreamName, rank: number): Socket | null {
    const pipe = FILES.stream(stream, rank);
    const fd = this.#unread.get(pipe);
    if (fd === undefined) return null;
    this.#unread.delete(pipe);
    return new Socket({ fd, readable: true, writable: false });
  }

  #heard(line: string): void {
    const report = parseReport(line);
    if (report === undefined) return;
    const rank = this.#ranks[report.rank];
    if (report.what === "exiting") {
      if (rank !== undefined) rank.announced = report.status;
      return;
    }
    if (report.what === "exited") {
      if (report.status !== 0) this.#endAnnounced(rank);
      rank?.ended(report.status);
      return;
    }
    this.#ranks[report.rank] = new ConductedRank(report.pid, (stream) =>
      this.#reader(stream, report.rank),
    );
    const known = Object.keys(this.#ranks).length;
    if (known < this.#score.settings.ranks) return;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#allStarted(this.#ranks);
    this.#rollCall();
  }

  /**
   * Gives up a rank whose process is gone in two checks in a row without a report: its agent was
   * killed, too.
   */
  #rollCall(): void {
    for (const rank of Object.values(this.#ranks)) {
      if (rank.hasEnded || processRuns(rank.pid)) continue;
      if (rank.isMissed) {
        this.#endAnnounced(rank);
        rank.vanished();
      }
      rank.isMissed = true;
    }
    if (this.#ranks.some((rank) => !rank.hasEnded)) {
      this.#after(ROLL_CALL_MS, () => this.#rollCall());
    }
  }

  /**
   * A rank that announced that it ends the job failed first, even if another is found dead first.
   */
  #endAnnounced(other: ConductedRank | undefined): void {
    for (const rank of Object.values(this.#ranks)) {
      if (rank !== other && rank.announced !== undefined) rank.ended(rank.announced);
    }
  }

  /** Ranks cannot communicate once their mpirun has ended, so they are ended, too. */
  #mpirunEnded(exit: LeaderExit): void {
    this.#fail(`${describeExit(exit)} before all ranks had started`);
    const signalRest = (signal: NodeJS.Signals) => {
      for (const rank of Object.values(this.#ranks))
        if (!rank.hasEnded) signalGroup(rank.pid, signal);
    };
    this.#after(ROLL_CALL_MS, () => signalRest("SIGTERM"));
    this.#after(this.#score.settings.graceMs, () => signalRest("SIGKILL"));
  }

  #fail(what: string): void {
    const quoted = this.#said.map((line) => `\n  ${line}`).join("");
    this.#notStarted(new InitializationFailed("mpi", `${this.name} ${what}.${quoted}`));
  }

  /** Passes on what mpirun itself writes. */
  #passOn(stream: StreamName): void {
    const splitter = new LineSplitter();
    this.#child[stream]?.on("data", (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) {
        const text = textOf(line);
        if (text.trim() === "" || /^-+$/.test(text)) continue;
        if (this.#said.length < QUOTED_LINES) this.#said.push(text);
        this.#score.notice(`mpirun: ${text}`);
      }
    });
  }

  #after(ms: number, action: () => void): void {
    this.#timers.push(setTimeout(action, ms));
  }
}
