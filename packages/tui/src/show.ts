import { closeSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { openRun } from "@cobre/study";
import { showPlain } from "./plain/show-plain.js";
import type { Feed } from "./sources/feed.js";
import { FinishedFeed } from "./sources/finished-feed.js";
import { type RunCommand, RunFeed } from "./sources/run-feed.js";
import { StreamFeed } from "./sources/stream-feed.js";
import { hasUtf8 } from "./text/ascii.js";

/** How a dashboard is shown. */
export interface ShowOptions {
  /** Sentences, a line each, instead of a screen. It is the default where there is no terminal. */
  readonly isPlain?: boolean | undefined;
  /** Only ASCII characters. It is the default where the locale is not UTF-8. */
  readonly isAscii?: boolean | undefined;
}

/**
 * Starts a run as a process of its own and shows it. Returns its exit code.
 *
 * @example
 * ```ts
 * process.exitCode = await showRun({
 *   command: ["cobre", "run", "cases/1dtoy", "--output", "out", "-n", "2"],
 *   source: "cases/1dtoy",
 *   output: "out",
 *   title: "1dtoy",
 *   startsRanks: true,
 * });
 * ```
 */
export function showRun(run: RunCommand, options: ShowOptions = {}): Promise<number> {
  return show(new RunFeed(run), options);
}

/**
 * Shows the events of a run that another process writes, lines of JSON as `cobre run --events` has them. Returns 0, or 1 if the run has
 * failed.
 *
 * @example
 * ```ts
 * process.exitCode = await showEvents(process.stdin);
 * ```
 */
export function showEvents(stream: Readable, options: ShowOptions = {}): Promise<number> {
  return show(new StreamFeed(stream), options);
}

/**
 * Shows a run that has ended, iteration by iteration, from what it wrote.
 *
 * @throws `RunError` if the directory holds no run
 * @example
 * ```ts
 * await showFinished("out", { isPlain: true });
 * ```
 */
export async function showFinished(directory: string, options: ShowOptions = {}): Promise<number> {
  return show(new FinishedFeed(await openRun(directory)), options);
}

/** Whether there is a terminal to draw on, and one to read keys from. */
function hasTerminal(): boolean {
  if (!process.stdout.isTTY || process.env.TERM === "dumb") return false;
  if (process.stdin.isTTY) return true;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** The terminal's library is loaded only if there is something to draw on. */
async function show(feed: Feed, { isPlain, isAscii }: ShowOptions): Promise<number> {
  const ascii = isAscii ?? !hasUtf8(process.env);
  if (isPlain || !hasTerminal()) return showPlain(feed, ascii);
  const { Dashboard } = await import("./screen/dashboard.js");
  const hasColors = process.stdout.hasColors();
  return new Dashboard(feed, { isAscii: ascii, hasColors }).show();
}
