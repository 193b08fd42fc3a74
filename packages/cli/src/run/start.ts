import { join, resolve } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { createCommunicator } from "@cobre/comm";
import { commTimeoutVariables, launch, parseLaunchBackend } from "@cobre/comm/launch";
import { formatIssue } from "@cobre/core";
import { type Case, OutputDirectory } from "@cobre/io";
import { loadCase } from "@cobre/sddp";
import { loadSolver, type SolverChoice } from "@cobre/solver";
import { type RunEvent, runStudy, type StudyEvent } from "@cobre/study";
import { type CaseFlags, caseArguments } from "../commands/case-options.js";
import { EXIT } from "../exit-codes.js";
import { reportFailure } from "../failure.js";
import { RunOutput } from "../standard-output.js";
import { COMMAND_VARIABLE, commandOfRun } from "./command-line.js";
import { EventFile, STANDARD_OUTPUT } from "./event-file.js";
import { HoldFile } from "./hold-file.js";
import { Interruption } from "./interruption.js";
import { describeRun, RunLog } from "./log.js";
import { optimizeLater } from "./optimize-later.js";
import { resumeCommand } from "./resume-command.js";
import { settingsFrom } from "./settings.js";
import { stopAtEndOfInput } from "./stop-at-eof.js";

/** The options of `cobre run`. */
export interface RunFlags extends CaseFlags {
  readonly ranks?: number;
  readonly backend?: string;
  readonly solver: SolverChoice;
  readonly output?: string;
  readonly resume?: boolean;
  readonly allowOtherSolver?: boolean;
  readonly overwrite?: boolean;
  readonly quiet?: boolean;
  readonly bind?: string;
  readonly commTimeout?: number;
  readonly events?: string;
  readonly report?: boolean;
  readonly stopAtEof?: boolean;
  readonly hold?: string;
}

/** How long ranks may take to finish their iteration after they were asked to stop. */
const GRACE_SECONDS = 600;
/**
 * How late a rank may be that lives. Ranks that simulate meet only at the end, and rank 0 may write to
 * a slow disk: by default no wait is too long. Ranks that have ended are found at once all the same.
 */
const NO_LIMIT = Number.POSITIVE_INFINITY;
const COBRE = fileURLToPath(new URL("../../bin/cobre.js", import.meta.url));

/** In the case directory, or beside a case that is one file. */
function outputOf(source: string): string {
  return source.endsWith(".json") ? source.replace(/\.json$/, "-output") : join(source, "output");
}

/** Runs a case in this process, which may be a rank of a group, or starts ranks that run it. */
export async function startRun(directory: string, flags: RunFlags): Promise<void> {
  const output = resolve(flags.output ?? outputOf(directory));
  const { ranks } = flags;
  const isLauncher = ranks !== undefined && !(ranks === 1 && flags.backend === "local");
  const speaker = isLauncher ? null : Number(process.env.COBRE_LAUNCH_RANK ?? 0);
  const events = flags.events === undefined ? undefined : new EventFile(flags.events, speaker);
  if (flags.stopAtEof) stopAtEndOfInput();
  try {
    if (isLauncher) await startRanks(directory, output, flags, ranks, events);
    else await runRank(directory, output, flags, events);
  } catch (error) {
    events?.tellError(error);
    throw error;
  }
}

async function runRank(
  directory: string,
  output: string,
  flags: RunFlags,
  events: EventFile | undefined,
): Promise<void> {
  const source = await loadCase(directory, await settingsFrom(directory, flags));
  if (flags.backend !== undefined && flags.backend !== "auto") {
    process.env.COBRE_COMM_BACKEND = parseLaunchBackend(flags.backend, "--backend");
  }
  Object.assign(process.env, commTimeoutVariables(flags.commTimeout ?? NO_LIMIT));
  // A few dozen calls an iteration: to count them costs less than can be measured.
  process.env.COBRE_COMM_STATISTICS ??= "1";
  using stdout = new RunOutput();
  using comm = await createCommunicator();
  const { backend, rank } = comm;
  if (events !== undefined) events.rank = rank;
  optimizeLater();
  // In the group already, so that ranks that have the solver learn which one has not.
  const solver = await loadSolver(flags.solver);
  events?.tell({ type: "rank_started", pid: process.pid, backend });
  if (rank === 0 && process.env.COBRE_LAUNCH_RANK === undefined)
    tellWarnings(source.warnings, events);
  const name = `${solver.name} ${solver.version}`;
  const ranks = process.env.COBRE_LAUNCH_RANK === undefined ? undefined : comm.size;
  const description = {
    header: describeRun(source, { solver: name, ranks: comm.size, backend }),
    title: { name: source.name, details: [`${comm.size} × ${backend}`, name] },
    resume: source.config.training.isEnabled
      ? resumeCommand(source.path ?? directory, output, flags, ranks)
      : undefined,
  };
  const isQuiet = flags.quiet || flags.events === STANDARD_OUTPUT;
  const log = rank === 0 && !isQuiet ? new RunLog(stdout, description) : undefined;
  const onEvent = (event: StudyEvent) => {
    if (event.type === "output_not_locked") warnOfOtherRuns(event.path);
    log?.onEvent(event);
    // Where a rank is within an iteration is for displays alone; it would fill the file.
    if (rank === 0 && event.type !== "working") events?.tell(event);
    if (rank !== 0) tellOfRank(event, events);
  };
  /** The error that was reported while the other ranks waited, and its exit code. */
  let told: { readonly error: unknown; readonly code: number } | undefined;
  const onFailure = (error: unknown) => {
    log?.clear();
    events?.tellError(error);
    told = { error, code: reportFailure(error) };
    return told.code;
  };
  // Only a person at a terminal is in a hurry. A launcher ends its ranks itself, and batch systems may send signals more than once.
  const isAtTerminal = stdout.isTTY && process.env.COBRE_LAUNCH_RANK === undefined;
  const atOnce = () => stopAtOnce(log, description.resume);
  using interruption = new Interruption(isAtTerminal ? atOnce : undefined);
  interruption.signal.addEventListener("abort", () => log?.stopping());
  const existing = flags.resume ? "resume" : flags.overwrite ? "overwrite" : "refuse";
  const { signal } = interruption;
  try {
    const allowsOtherSolver = flags.allowOtherSolver ?? false;
    const splitsWaiting = flags.report;
    const tell = (event: RunEvent) => events?.tell(event);
    const held = flags.hold === undefined ? undefined : new HoldFile(flags.hold, signal, tell);
    const options = {
      output,
      existing,
      solver,
      allowsOtherSolver,
      signal,
      splitsWaiting,
      hold: held?.hold,
      command: commandOfRun(),
      onEvent,
      onFailure,
    } as const;
    const { status } = await runStudy(comm, source, options);
    if (flags.report && rank === 0) {
      const { reportBeside } = await import("../report/write-report.js");
      await reportBeside(output, isQuiet ? undefined : stdout);
    }
    if (status !== "interrupted") log?.finished(output);
    process.exitCode = status === "interrupted" ? EXIT.interrupted : EXIT.done;
  } catch (error) {
    log?.clear();
    if (told === undefined || told.error !== error) throw error;
    process.exitCode = told.code;
    return;
  }
  events?.tell({ type: "rank_done", backend, wallMs: performance.now() });
}

/** Ends this rank without another checkpoint. */
function stopAtOnce(log: RunLog | undefined, resume: string | undefined): never {
  log?.clear();
  const how = resume === undefined ? "" : `; from the last checkpoint, if there is one: ${resume}`;
  if (log !== undefined) console.error(`cobre: stopped at once${how}`);
  process.exit(EXIT.interrupted);
}

/** Checks the case and the output directory before it starts ranks, so that errors are reported once. */
async function startRanks(
  directory: string,
  output: string,
  flags: RunFlags,
  ranks: number,
  events: EventFile | undefined,
): Promise<void> {
  const backend = parseLaunchBackend(flags.backend ?? "auto", "--backend");
  const source: Case = await loadCase(directory, await settingsFrom(directory, flags));
  const solver = await loadSolver(flags.solver);
  tellWarnings(source.warnings, events);
  const goesOn = flags.resume || source.config.policy.mode === "resume";
  if (!goesOn && source.config.training.isEnabled) {
    new OutputDirectory(output).check(flags.overwrite ? "overwrite" : "refuse");
  }
  const command = [process.execPath, COBRE, "run", directory, "--output", output];
  command.push("--solver", solver.name);
  if (flags.resume) command.push("--resume");
  if (flags.allowOtherSolver) command.push("--allow-other-solver");
  if (flags.overwrite) command.push("--overwrite");
  if (flags.quiet) command.push("--quiet");
  if (flags.report) command.push("--report");
  command.push(...caseArguments(flags));
  if (flags.events !== undefined) command.push("--events", flags.events);
  if (flags.hold !== undefined) command.push("--hold", flags.hold);
  if (flags.commTimeout !== undefined) {
    command.push("--comm-timeout", limitText(flags.commTimeout));
  }
  const job = await launch({
    ranks,
    backend,
    command,
    env: {
      [COMMAND_VARIABLE]: commandOfRun(process.argv, {}),
      // Ranks need not search for what was found here.
      ...(solver.name === "highs-native" ? { COBRE_HIGHS_LIBRARY: solver.library } : {}),
    },
    bind: flags.bind,
    output: "inherit",
    graceSecs: GRACE_SECONDS,
    stdin: flags.stopAtEof || isatty(0) ? "ignore" : "inherit",
    forwardSignals: true,
    // Ranks that exit with one of our codes have reported why.
    onNotice: (message) => {
      if (!/exited with code [1-5]\b/.test(message)) console.error(message);
    },
  });
  const { code, outputLost, ranks: ended, firstFailure } = await job.done;
  events?.tell({
    type: "job_done",
    code,
    firstFailure: firstFailure?.rank ?? null,
    ranks: ended.map(({ rank, pid, code, signal }) => ({ rank, pid, code, signal })),
  });
  if (outputLost) process.exit(code);
  process.exitCode = code === 0 ? EXIT.done : code;
}

/** What displays want to know of the other ranks: little, because it comes from each of them. */
function tellOfRank(event: StudyEvent, events: EventFile | undefined): void {
  if (event.type === "iteration_done") {
    const { solvingMs, waitingMs, movingMs } = event;
    const { iteration, totalMs } = event.record;
    events?.tell({ type: "rank_iteration", iteration, totalMs, solvingMs, waitingMs, movingMs });
  } else if (event.type === "scenario_done") {
    events?.tell({ ...event, type: "rank_scenario" });
  }
}

function limitText(seconds: number): string {
  return Number.isFinite(seconds) ? String(seconds) : "none";
}

function warnOfOtherRuns(path: string): void {
  console.error(
    `warning: ${path} cannot be locked on this system; see that no other run writes to it`,
  );
}

/** Prints the warnings of a case to stderr, one a line. */
function tellWarnings(warnings: Case["warnings"], events: EventFile | undefined): void {
  for (const issue of warnings) {
    console.error(`warning: ${formatIssue(issue)}`);
    events?.tell({ type: "warning", issue });
  }
}
