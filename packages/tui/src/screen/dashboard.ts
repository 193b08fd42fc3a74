import { basename } from "node:path";
import { writeSnapshot } from "../snapshot/write-snapshot.js";
import type { Feed } from "../sources/feed.js";
import { memoryOf } from "../sources/memory.js";
import { RunFeed } from "../sources/run-feed.js";
import { RunState } from "../state/run-state.js";
import { FIRST_SCREEN, press, type ScreenState } from "../state/screen-state.js";
import type { StageCuts } from "../state/stage-cuts.js";
import type { ToldEvent } from "../state/told-event.js";
import { asciiLine } from "../text/ascii.js";
import type { Line } from "../text/styled.js";
import { screenLines } from "../views/frame.js";
import { TerminalScreen } from "./terminal-screen.js";

/** At most ten times a second, … */
const FRAME_MS = 100;
/** … and less often on a large screen: drawing may take this part of a core, which the run may need. Keys are answered at once. */
const DRAWING_SHARE = 0.01;
const MEMORY_MS = 2000;
const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How a dashboard looks. */
export interface Look {
  readonly isAscii: boolean;
  readonly hasColors: boolean;
}

/** A dashboard on a terminal: from the first event of a feed until a person leaves it. */
export class Dashboard {
  private readonly feed: Feed;
  private readonly look: Look;
  private readonly run = new RunState();
  private readonly screen: TerminalScreen;
  private state: ScreenState = FIRST_SCREEN;
  private memory: ReadonlyMap<number, number> = new Map();
  private memoryReadAt = 0;
  private stageLabels: readonly string[] = [];
  private cuts: { readonly key: string; found?: StageCuts | string } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private drawnAt = 0;
  /** What the last frame took of a processor. */
  private frameMs = 0;
  private isLeft = false;
  private isStopping = false;
  private finish: (code: number) => void = () => {};
  private code: number | undefined;

  constructor(feed: Feed, look: Look) {
    this.feed = feed;
    this.look = look;
    const resized = () => this.drawSoon();
    this.screen = new TerminalScreen({ key: (name) => this.key(name), resized }, look.hasColors);
  }

  /** Shows the feed. Returns the exit code when it is over, and a person has seen it. */
  show(): Promise<number> {
    for (const signal of ENDING_SIGNALS) process.on(signal, this.onSignal);
    process.on("SIGTSTP", this.suspend);
    process.on("SIGCONT", this.redraw);
    // A terminal that is closed cannot be written to any more; the run is stopped by its SIGHUP.
    process.stdout.on("error", () => {});
    process.stderr.on("error", () => {});
    // Whatever ends this process, the terminal is given back first, so that the reason can be read.
    process.on("exit", this.giveBack);
    process.on("uncaughtExceptionMonitor", this.giveBack);
    const shown = new Promise<number>((resolve) => {
      this.finish = resolve;
    });
    this.feed.start({ events: (events) => this.take(events), ended: (code) => this.ended(code) });
    return shown.finally(() => this.detach());
  }

  private take(events: readonly ToldEvent[]): void {
    const isFirst = !this.isLeft && this.run.phase === "starting" && this.run.pids.size === 0;
    for (const event of events) this.run.take(event);
    // A run that fails before its first rank has started only has its error to tell: no screen comes and goes for it.
    if (isFirst && this.run.pids.size > 0) this.begin();
    this.drawSoon();
  }

  private begin(): void {
    this.screen.open();
    this.feed.stageLabels().then((labels) => {
      this.stageLabels = labels;
      this.drawSoon();
    });
  }

  private ended(code: number | undefined): void {
    const isSeen = this.run.pids.size > 0;
    this.run.end(code);
    this.code = code ?? (this.run.phase === "failed" ? 1 : 0);
    if (!isSeen && code === undefined) this.begin(); // events of something that never started
    const hasNothingToShow = !isSeen && code !== undefined;
    if (this.isLeft || this.isStopping || hasNothingToShow) this.leave();
    else this.drawSoon();
  }

  private key(name: string): void {
    const { screen, effect } = press(this.state, name, this.run);
    this.state = screen;
    switch (effect) {
      case "pause":
        this.tell(this.isRunning ? this.feed.pause(this.run) : undefined, { isPaused: false });
        break;
      case "step":
        this.tell(this.isRunning ? this.feed.step(this.run) : undefined, { isPaused: false });
        break;
      case "go":
        this.feed.go();
        break;
      case "export":
        this.export();
        break;
      case "stop":
        this.stop();
        return;
      case "quit":
        this.quit();
        return;
      case "suspend":
        this.suspend();
        return;
      case "redraw":
        this.redraw();
        return;
    }
    if (!this.isRunning) this.state = { ...this.state, isPaused: false };
    this.drawSoon(true);
  }

  private get isRunning(): boolean {
    return !this.run.isOver;
  }

  private tell(message: string | undefined, change: Partial<ScreenState> = {}): void {
    if (message !== undefined) this.state = { ...this.state, ...change, message };
  }

  /** Ctrl-C: a run stops where nothing is lost; anything else is left. */
  private stop(): void {
    const message = this.isRunning ? this.feed.stop() : undefined;
    if (message === undefined) {
      this.quit();
      return;
    }
    this.isStopping = true;
    this.tell(message);
    this.drawSoon(true);
  }

  /** A run that is not over goes on, and its log is printed. */
  private quit(): void {
    this.isLeft = true;
    const isRunOver = this.code !== undefined;
    if (!isRunOver && this.feed instanceof RunFeed) {
      this.feed.go();
      this.screen.close();
      process.stdout.write("the run goes on; Ctrl-C stops it after its iteration\n");
      this.feed.showOutput();
      return;
    }
    this.code ??= 0; // someone else's run, or a replay
    this.leave();
  }

  private leave(): void {
    this.screen.dispose();
    clearTimeout(this.timer);
    if (this.feed instanceof RunFeed) this.feed.showOutput();
    this.finish(this.code ?? 0);
  }

  private readonly onSignal = (signal: NodeJS.Signals): void => {
    this.screen.close();
    if (this.feed instanceof RunFeed && this.code === undefined) {
      // The run ends as it does without a dashboard, and this process after it.
      this.isLeft = true;
      if (signal === "SIGINT") this.feed.stop();
      else this.feed.forward("SIGTERM");
      this.feed.showOutput();
      return;
    }
    this.detach();
    process.kill(process.pid, signal); // now it ends this process, as whoever sent it expects
  };

  private readonly giveBack = (): void => this.screen.close();

  private readonly suspend = (): void => {
    if (this.isLeft) return;
    this.screen.close();
    process.kill(process.pid, "SIGSTOP");
  };

  private readonly redraw = (): void => {
    if (this.isLeft || (this.run.pids.size === 0 && this.code === undefined)) return;
    this.screen.open();
    this.screen.forget();
    this.drawSoon(true);
  };

  private detach(): void {
    for (const signal of ENDING_SIGNALS) process.off(signal, this.onSignal);
    process.off("SIGTSTP", this.suspend);
    process.off("SIGCONT", this.redraw);
    this.screen.dispose();
  }

  private export(): void {
    const { view, isInspecting } = this.state;
    const name = isInspecting ? `stage-${this.state.stage}` : view;
    const at = this.state.iteration ?? this.run.last?.record.iteration ?? 0;
    try {
      const { columns } = this.screen.area;
      const path = writeSnapshot(process.cwd(), `cobre-${name}-${at}`, this.lines(), columns);
      this.tell(`written: ${basename(path)}.txt and ${basename(path)}.svg in ${process.cwd()}`);
    } catch (error) {
      this.tell(`cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private drawSoon(isUrgent = false): void {
    if (this.isLeft || (this.timer !== undefined && !isUrgent)) return;
    clearTimeout(this.timer);
    const pause = Math.max(FRAME_MS, this.frameMs / DRAWING_SHARE);
    const wait = isUrgent ? 0 : Math.max(0, this.drawnAt + pause - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.draw();
    }, wait);
  }

  private draw(): void {
    if (this.isLeft) return;
    this.drawnAt = performance.now();
    const before = process.cpuUsage();
    this.lookUp();
    this.screen.draw(this.lines());
    const { user, system } = process.cpuUsage(before);
    this.frameMs = (user + system) / 1000;
  }

  private lines(): Line[] {
    const { run, state, stageLabels, memory, feed } = this;
    const { title, pauses, solvesOf } = feed;
    const cuts = this.cuts?.found;
    const around = { title, pauses, solvesOf, stageLabels, memory, cuts };
    const lines = screenLines(run, state, around, this.screen.area);
    return this.look.isAscii ? lines.map(asciiLine) : lines;
  }

  /** What is shown but not told by events. */
  private lookUp(): void {
    const { view, stage, isInspecting } = this.state;
    const now = performance.now();
    const wantsMemory = this.feed.isLocal && (view === "ranks" || view === "log");
    if (wantsMemory && now - this.memoryReadAt > MEMORY_MS && this.isRunning) {
      this.memoryReadAt = now;
      this.memory = memoryOf(this.run.pids);
    }
    if (view !== "stages" || !isInspecting) return;
    const key = `${stage} ${this.run.policy?.iteration ?? ""} ${this.run.policy?.path ?? ""}`;
    if (this.cuts?.key === key) return;
    const asked: { readonly key: string; found?: StageCuts | string } = { key };
    // What was found for an older policy stays until there is something newer.
    if (this.cuts?.key.split(" ")[0] === String(stage) && this.cuts.found !== undefined)
      asked.found = this.cuts.found;
    this.cuts = asked;
    this.feed
      .cuts(this.run, stage)
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((found) => {
        asked.found = found;
        this.drawSoon();
      });
  }
}
