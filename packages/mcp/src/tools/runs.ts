/** Tools that start runs, follow them and end them. */
import { basename, dirname, join } from "node:path";
import { formatIssue } from "@cobre/core";
import { validateCase } from "@cobre/sddp";
import { changedSettings } from "@cobre/study";
import { z } from "zod";
import { checkPolicyPaths } from "../cases/policy-paths.js";
import type { Context } from "../context.js";
import { Refusal } from "../refusal.js";
import { describeRun, RUN_STATES, type RunDescription } from "../runs/describe-run.js";
import type { RunProgress } from "../runs/events.js";
import { findRuns } from "../runs/find-runs.js";
import type { RunRequest } from "../runs/run-keeper.js";
import { type RunSettings, readState } from "../runs/run-state.js";
import { casePath, counted, dollars, money, runPath, setting } from "./fields.js";
import { type Caller, defineTool } from "./tool.js";

const LONGEST_WAIT = 600;
const MOST_RUNS = 50;

const description = {
  run: z.string().describe("The path to give to other tools."),
  case: z.string().nullable().describe("The case, if a server started the run."),
  state: z
    .enum(RUN_STATES)
    .describe(
      "cancelled, time_limit and interrupted can be resumed; unfinished: begun by another program, and without results",
    ),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  ranks: z
    .number()
    .nullable()
    .describe("Processes that work together; results do not depend on it."),
  phase: z.string().nullable(),
  iteration: z.number().nullable(),
  iteration_limit: z.number().nullable(),
  checkpoint_iteration: z.number().nullable().describe("From where a stopped run would go on."),
  lower_bound: money.describe("$: the expected cost is at least this, unless it says otherwise."),
  forward_mean: money.describe("$: mean cost of the futures tried last; a sample, not a bound."),
  scenarios_done: z.number().nullable(),
  scenarios: z.number().nullable(),
  simulated_mean_cost: money.describe("$"),
  error: z.string().nullable(),
};

const waiting = z
  .number()
  .min(0)
  .max(LONGEST_WAIT)
  .default(0)
  .describe(
    "Wait up to so many seconds for the end of the run, with progress notifications; 0 answers at once.",
  );

export const startRun = defineTool({
  name: "start_run",
  title: "Start a run",
  description:
    "Trains and simulates a case in the background. Training finds an operating policy by trying possible futures again and again; simulation then tells what following that policy costs. Returns at once unless wait_seconds is given; follow the run with run_status. Goes on with a stopped run if `resume` is given, with the same result as if it had never stopped. Needs a server that may run.",
  changes: "adds",
  input: {
    case: casePath.optional().describe("The case; not needed with `resume`."),
    output: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        "The new folder of the run, relative to a root; by default a new one beside the case.",
      ),
    resume: runPath
      .optional()
      .describe("A stopped run to go on with, instead of `case` and `output`."),
    iterations: z
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe("The limit of iterations."),
    set: z.array(setting).max(50).default([]).describe("Settings other than those of config.json."),
    ranks: z
      .number()
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe("Processes that share the work: 1 by default. Results are the same."),
    max_minutes: z
      .number()
      .positive()
      .max(100_000)
      .optional()
      .describe("End the run after so long."),
    wait_seconds: waiting,
  },
  output: description,
  run: async (args, context, caller) => {
    context.mustAllowRunning();
    const request =
      args.resume === undefined ? await fresh(args, context) : await again(args, context);
    await context.keeper.start(request);
    return await followed(request.directory, args.wait_seconds, context, caller);
  },
});

type StartArguments = {
  readonly case?: string | undefined;
  readonly output?: string | undefined;
  readonly resume?: string | undefined;
  readonly iterations?: number | undefined;
  readonly set: RunSettings["set"];
  readonly ranks?: number | undefined;
  readonly max_minutes?: number | undefined;
};

async function fresh(args: StartArguments, context: Context): Promise<RunRequest> {
  if (args.case === undefined) {
    throw new Refusal("no case is given", "Give `case`, or `resume` to go on with a stopped run.");
  }
  const caseFolder = await context.folder(args.case);
  const settings = { set: args.set, iterations: args.iterations ?? null };
  await checkCase(caseFolder, settings, context);
  return {
    case: caseFolder,
    directory: await newDirectory(args.output, caseFolder, context),
    isNew: true,
    settings,
    ...sizes(args, context),
  };
}

async function again(args: StartArguments, context: Context): Promise<RunRequest> {
  const directory = await context.folder(args.resume as string);
  const state = await readState(directory);
  if (state === undefined) {
    throw new Refusal(
      `${args.resume} was not started by this server`,
      "Resume it with `cobre run CASE --output RUN --resume`, or start a new run.",
    );
  }
  // The file may have been changed, so what it says is checked as if the client had said it.
  const caseFolder = await context.folder(state.case);
  const settings = {
    set: [...state.settings.set, ...args.set],
    iterations: args.iterations ?? state.settings.iterations,
  };
  await checkCase(caseFolder, settings, context);
  const ranks = args.ranks ?? state.ranks;
  return {
    case: caseFolder,
    directory,
    isNew: false,
    settings,
    ...sizes({ ...args, ranks }, context),
  };
}

/** Refuses a case that the run would refuse, or that would lead it out of the roots. */
async function checkCase(
  caseFolder: string,
  { set, iterations }: RunSettings,
  { roots }: Context,
): Promise<void> {
  const settings = await changedSettings(caseFolder, {
    set: set.map(({ path, value }) => [path, value] as const),
    iterations: iterations ?? undefined,
  });
  await checkPolicyPaths(roots, caseFolder, settings);
  const { case: source, issues } = await validateCase(caseFolder, settings);
  if (source !== undefined) return;
  const errors = issues.filter(({ severity }) => severity === "error");
  const [first] = errors.map((issue) => formatIssue(issue).replaceAll(`${caseFolder}/`, ""));
  throw new Refusal(
    `${roots.shown(caseFolder)} has ${counted(errors.length, "error")} with these settings: ${first}`,
    "Call validate_case for the case, and get_schema with config.json for its settings.",
  );
}

function sizes({ ranks = 1, max_minutes }: StartArguments, { limits }: Context) {
  if (ranks > limits.ranks) {
    throw new Refusal(
      `this server allows ${counted(limits.ranks, "rank")}`,
      "Ask for fewer ranks.",
    );
  }
  return { ranks, minutes: Math.min(max_minutes ?? limits.minutes, limits.minutes) };
}

async function newDirectory(
  output: string | undefined,
  caseFolder: string,
  { roots }: Context,
): Promise<string> {
  if (output !== undefined) return await roots.fresh(output);
  const base = join(dirname(caseFolder), `${basename(caseFolder)}-run`);
  for (let number = 1; ; number++) {
    const free = await roots.fresh(`${base}-${number}`).catch((error) => {
      if (number < 1000 && /exists already/.test(String(error))) return undefined;
      throw error;
    });
    if (free !== undefined) return free;
  }
}

export const runStatus = defineTool({
  name: "run_status",
  title: "Status of a run",
  description:
    "Tells what a run is doing or how it ended: the phase, the iteration, the bound on the cost so far, what went wrong. With wait_seconds it waits for the end and sends progress notifications.",
  input: { run: runPath, wait_seconds: waiting },
  output: description,
  run: async ({ run, wait_seconds }, context, caller) =>
    await followed(await context.folder(run), wait_seconds, context, caller),
});

async function followed(directory: string, seconds: number, context: Context, caller: Caller) {
  let told = -1;
  await context.keeper.follow(directory, seconds, caller.signal, async (progress) => {
    // The protocol wants every notification to tell of more.
    if (seconds === 0 || done(progress) <= told) return;
    told = done(progress);
    await caller.progress(told, total(progress), wordsOf(progress));
  });
  const data = await describeRun(context.roots, context.keeper, directory);
  return { summary: sentence(data), data };
}

function done({ iteration, scenariosDone }: RunProgress): number {
  return iteration + scenariosDone;
}

function total({ iterationLimit, scenarios }: RunProgress): number | undefined {
  return iterationLimit === null ? undefined : iterationLimit + (scenarios ?? 0);
}

function wordsOf({ phase, iteration, lowerBound, scenariosDone, scenarios }: RunProgress): string {
  if (phase === "simulation") return `simulated ${scenariosDone} of ${scenarios ?? "?"} scenarios`;
  if (lowerBound === null) return phase;
  return `iteration ${iteration}: the bound is ${dollars(lowerBound)}`;
}

function sentence(run: RunDescription): string {
  const bound = run.lower_bound === null ? "" : `; the lower bound is ${dollars(run.lower_bound)}`;
  const trained = counted(run.iteration ?? 0, "iteration");
  switch (run.state) {
    case "running":
      return `${run.run} is running (${run.phase}): ${trained} trained${bound}. Call run_status with wait_seconds to follow it.`;
    case "completed":
      return `${run.run} is complete: ${trained}${bound}${run.simulated_mean_cost === null ? "" : `; simulated scenarios cost ${dollars(run.simulated_mean_cost)} on average`}. get_convergence, query_results and render_chart look at it.`;
    case "failed":
      return `${run.run} failed: ${run.error ?? "see its log"}`;
    case "unfinished":
      return `${run.run} has no results: it runs elsewhere, or was stopped.`;
    default: {
      const from = run.checkpoint_iteration;
      const where = from === null ? "the beginning" : `iteration ${from}`;
      return `${run.run} was stopped (${run.state}); start_run with resume goes on from ${where}.`;
    }
  }
}

export const cancelRun = defineTool({
  name: "cancel_run",
  title: "Cancel a run",
  description:
    "Ends a run at once. The iteration under way is abandoned; everything up to the last complete iteration is kept, and start_run with `resume` goes on from there with the same result. When this answers, the processes of the run are gone. Needs a server that may run.",
  changes: "ends",
  input: { run: runPath },
  output: description,
  run: async ({ run }, context) => {
    context.mustAllowRunning();
    const directory = await context.folder(run);
    const ended = await context.keeper.end(directory, "cancelled");
    if (ended === undefined) {
      throw new Refusal(
        `${run} is not running, or was not started by this server`,
        "run_status tells how it ended.",
      );
    }
    const data = await describeRun(context.roots, context.keeper, directory);
    return { summary: sentence(data), data };
  },
});

export const listRuns = defineTool({
  name: "list_runs",
  title: "List the runs",
  description:
    "Lists the runs in the folders of this server, the latest first: those that are under way, those that ended, and those that people made with `cobre run`.",
  input: {},
  output: {
    runs: z.array(z.object(description)),
    more: z.number().describe("How many further runs are not shown."),
  },
  run: async (_, { roots, keeper }) => {
    const found = await findRuns(roots);
    const runs = await Promise.all(
      found.map(({ directory }) => describeRun(roots, keeper, directory)),
    );
    runs.sort((a, b) => (b.started_at ?? "").localeCompare(a.started_at ?? ""));
    const running = runs.filter(({ state }) => state === "running").length;
    return {
      summary: `${counted(runs.length, "run")}, ${running} of them under way.`,
      data: { runs: runs.slice(0, MOST_RUNS), more: Math.max(0, runs.length - MOST_RUNS) },
    };
  },
});
