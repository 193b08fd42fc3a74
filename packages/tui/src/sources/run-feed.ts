import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OUTPUT_FILES } from "@cobre/io";
import { decodePolicy, loadCase } from "@cobre/sddp";
import type { RunState } from "../state/run-state.js";
import { type Names, NO_NAMES, type StageCuts, stageCuts } from "../state/stage-cuts.js";
import type { Feed, FeedListener } from "./feed.js";
import { EventLines } from "./lines.js";
import { KeptPolicy } from "./policy-file.js";

/** How often the events are looked for. */
const PERIOD_MS = 100;
const PIECE_BYTES = 1 << 20;

/** A run to start. */
export interface RunCommand {
  /** The program and its arguments, without those that are added here: `--events`, `--hold`, `--stop-at-eof`. */
  readonly command: readonly string[];
  /** The case directory, for the names of plants and stages. */
  readonly source: string;
  /** The directory of the results, for the cuts. */
  readonly output: string;
  readonly title: string;
  /** The file of events that the command names already, if it does. */
  readonly events?: string | undefined;
  /** Why the run cannot be paused, if it cannot. */
  readonly unpausable?: string | undefined;
  /** Whether the command starts ranks, which it ends itself at the second SIGINT. */
  readonly startsRanks: boolean;
}

/**
 * A run as a process of its own, so that nothing of the dashboard is in its way. Its events come through a file, which no rank ever waits
 * for; another file holds it at the end of an iteration. It has its own session: keys of the terminal do not reach it. It reads a pipe
 * from us, and stops when that ends, even if we are killed.
 */
export class RunFeed implements Feed {
  readonly title: string;
  readonly pauses = "run";
  readonly solvesOf = "rank 0";
  readonly isLocal = true;
  private readonly run: RunCommand;
  private readonly scratch = mkdtempSync(join(tmpdir(), "cobre-tui-"));
  private readonly holdFile = join(this.scratch, "hold");
  private readonly eventsFile: string;
  private readonly policy = new KeptPolicy();
  private child: ChildProcess | undefined;
  private stops = 0;
  private known: Promise<Names> | undefined;
  /** What the run printed and nobody has seen yet, in its order. */
  private readonly printed: { readonly isError: boolean; readonly bytes: Buffer }[] = [];
  private isPrinting = false;

  constructor(run: RunCommand) {
    this.run = run;
    this.title = run.title;
    this.eventsFile = run.events ?? join(this.scratch, "events");
  }

  start(listener: FeedListener): void {
    const { run } = this;
    const [file = "", ...args] = run.command;
    const added = ["--stop-at-eof"];
    if (run.events === undefined) added.push("--events", this.eventsFile);
    if (run.unpausable === undefined) added.push("--hold", this.holdFile);
    writeFileSync(this.eventsFile, "", { flag: "a" });
    const lines = new EventLines();
    const events = openSync(this.eventsFile, "r");
    // A file that was there before may hold the events of another run.
    let place = statSync(this.eventsFile).size;
    const piece = Buffer.alloc(PIECE_BYTES);
    const read = (): void => {
      for (;;) {
        const count = readSync(events, piece, 0, piece.length, place);
        if (count === 0) return;
        place += count;
        const found = lines.take(piece.subarray(0, count));
        if (found.length > 0) listener.events(found);
      }
    };
    const child = spawn(file, [...args, ...added], {
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child = child;
    child.stdin?.on("error", () => {}); // it has ended
    child.stdout?.on("data", (bytes: Buffer) => this.print(false, bytes));
    child.stderr?.on("data", (bytes: Buffer) => this.print(true, bytes));
    process.once("exit", this.tidyUp); // whatever ends this process first
    const timer = setInterval(read, PERIOD_MS);
    const end = (code: number): void => {
      clearInterval(timer);
      read();
      closeSync(events);
      this.tidyUp();
      listener.ended(code);
    };
    child.once("error", (error) => {
      this.print(true, Buffer.from(`cobre tui: the run cannot be started: ${error.message}\n`));
      end(1);
    });
    child.once("close", (code, signal) => end(this.codeOf(code, signal)));
  }

  pause({ last }: RunState): string | undefined {
    if (this.run.unpausable !== undefined) return this.run.unpausable;
    this.holdFrom(last?.record.iteration ?? 0);
    return undefined;
  }

  go(): void {
    rmSync(this.holdFile, { force: true });
  }

  step({ last, isHeld }: RunState): string | undefined {
    if (this.run.unpausable !== undefined) return this.run.unpausable;
    const done = last?.record.iteration ?? 0;
    this.holdFrom(isHeld ? done + 1 : done);
    return undefined;
  }

  stop(): string {
    this.stops++;
    if (this.stops > 1 && !this.run.startsRanks) this.child?.kill("SIGKILL");
    else this.child?.kill("SIGINT");
    if (this.stops > 1) return "stopping at once";
    return "stopping after this iteration or scenario; Ctrl-C again stops at once";
  }

  /** Sends the run a signal, as a process does that ends because of it. */
  forward(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Prints what the run has printed so far, and from now on whatever it prints. */
  showOutput(): void {
    this.isPrinting = true;
    for (const { isError, bytes } of this.printed.splice(0)) writeTo(isError, bytes);
  }

  /** Prints only what the run has printed to standard error. */
  showErrors(): void {
    for (const { isError, bytes } of this.printed.splice(0)) if (isError) writeTo(true, bytes);
  }

  async stageLabels(): Promise<readonly string[]> {
    return (await this.names()).stages;
  }

  async cuts({ policy }: RunState, stage: number): Promise<StageCuts> {
    if (policy === undefined)
      throw new Error(
        "There is no checkpoint yet. Pause the run (space): then its cuts are shown.",
      );
    const path = policy.path ?? join(this.run.output, OUTPUT_FILES.policy);
    const key = `${path} ${policy.iteration}`;
    const read = async () => decodePolicy(await readFile(path), path);
    return stageCuts(await this.policy.read(key, read), stage, await this.names());
  }

  private readonly tidyUp = (): void => {
    process.off("exit", this.tidyUp);
    rmSync(this.scratch, { recursive: true, force: true });
  };

  /** The command may have failed in a way that no code tells. */
  private codeOf(code: number | null, signal: NodeJS.Signals | null): number {
    if (signal === "SIGKILL" && this.stops > 1) return 5;
    return code ?? 1;
  }

  private holdFrom(iteration: number): void {
    writeFileSync(this.holdFile, String(iteration));
  }

  private print(isError: boolean, bytes: Buffer): void {
    if (this.isPrinting) writeTo(isError, bytes);
    else this.printed.push({ isError, bytes });
  }

  private names(): Promise<Names> {
    this.known ??= namesOf(this.run.source).catch(() => NO_NAMES); // the run reports what is wrong with the case
    return this.known;
  }
}

function writeTo(isError: boolean, bytes: Buffer): void {
  (isError ? process.stderr : process.stdout).write(bytes);
}

async function namesOf(directory: string): Promise<Names> {
  const { study } = await loadCase(directory);
  return {
    hydros: new Map(study.system.hydros.map(({ id, name }) => [id, name])),
    stages: study.time.stages.map(({ id, start }) => `${id} ${dateOf(start)}`),
  };
}

/** `2026-04-01` for a day counted from 1970-01-01. */
function dateOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
