import { readFile } from "node:fs/promises";
import { openRun, RunError, summaryOfRun } from "@cobre/study";
import type { Roots } from "../files/roots.js";
import type { KeptRun, RunKeeper } from "./run-keeper.js";
import { logFile } from "./run-state.js";

/** What a run is doing, or how it ended. */
export const RUN_STATES = [
  "running",
  "completed",
  "cancelled",
  "time_limit",
  "interrupted",
  "failed",
  "unfinished",
] as const;

/** A run, as clients see it. */
export interface RunDescription {
  readonly run: string;
  /** `null` if no server started it. */
  readonly case: string | null;
  readonly state: (typeof RUN_STATES)[number];
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly ranks: number | null;
  readonly phase: string | null;
  readonly iteration: number | null;
  readonly iteration_limit: number | null;
  readonly checkpoint_iteration: number | null;
  readonly lower_bound: number | null;
  readonly forward_mean: number | null;
  readonly scenarios_done: number | null;
  readonly scenarios: number | null;
  readonly simulated_mean_cost: number | null;
  readonly error: string | null;
}

/** Describes the run of a directory by its state, its events and its results. */
export async function describeRun(
  roots: Roots,
  keeper: RunKeeper,
  directory: string,
): Promise<RunDescription> {
  const kept = await keeper.find(directory);
  const written = kept?.isRunning ? undefined : await resultsOf(directory);
  const progress = kept?.progress;
  const made = written?.summary;
  return {
    run: roots.shown(directory),
    case: kept === undefined ? null : roots.shown(kept.state.case),
    state: stateOf(kept, written),
    started_at: kept?.state.started_at ?? null,
    ended_at: kept?.state.ended?.at ?? null,
    ranks: kept?.state.ranks ?? made?.ranks ?? null,
    phase: progress?.phase ?? null,
    iteration: made?.iterations ?? progress?.iteration ?? null,
    iteration_limit: progress?.iterationLimit ?? null,
    checkpoint_iteration: progress?.checkpoint ?? null,
    lower_bound: made?.lower_bound ?? progress?.lowerBound ?? null,
    forward_mean: made?.forward?.mean ?? progress?.forwardMean ?? null,
    scenarios_done: made?.simulation?.scenarios ?? progress?.scenariosDone ?? null,
    scenarios: made?.simulation?.scenarios ?? progress?.scenarios ?? null,
    simulated_mean_cost: made?.simulation?.mean ?? null,
    error: progress?.error ?? (await lastWords(kept)),
  };
}

type Results = Awaited<ReturnType<typeof resultsOf>>;

async function resultsOf(directory: string) {
  try {
    const run = await openRun(directory);
    return { summary: summaryOfRun(run), isSimulated: run.simulation !== undefined };
  } catch (error) {
    if (error instanceof RunError) return undefined; // it has none yet
    throw error;
  }
}

function stateOf(kept: KeptRun | undefined, written: Results): RunDescription["state"] {
  if (kept === undefined) return written?.summary.status ?? "unfinished";
  if (kept.isRunning) return "running";
  const { ended } = kept.state;
  if (ended?.why === "cancelled" || ended?.why === "time_limit") return ended.why;
  if (ended?.why === "server_ended") return "interrupted";
  if (kept.progress.error !== null) return "failed";
  if (ended === null) return written?.summary.status ?? "interrupted"; // no server saw its end
  return ended.code === 0 ? "completed" : ended.code === 5 ? "interrupted" : "failed";
}

/** The end of the log of a run that failed without an event. */
async function lastWords(kept: KeptRun | undefined): Promise<string | null> {
  const { ended } = kept?.state ?? {};
  if (kept === undefined || !ended || ended.why !== "exited" || ended.code === 0) return null;
  const text = await readFile(logFile(kept.directory), "utf8").catch(() => "");
  return text.slice(-1000).trim() || null;
}
