import { join, resolve } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { createCommunicator } from "@cobre/comm";
import { launch, parseLaunchBackend } from "@cobre/comm/launch";
import { formatIssue } from "@cobre/core";
import { type Case, loadCase, OutputDirectory } from "@cobre/io";
import { loadSolver, type SolverName } from "@cobre/solver";
import { EXIT } from "../exit-codes.js";
import { reportFailure } from "../failure.js";
import { packageVersion } from "../version.js";
import { EventFile } from "./event-file.js";
import { runCase } from "./run-case.js";
import { readSettings } from "./settings.js";
import { stopAtEndOfInput } from "./stop-at-eof.js";

/** What was typed behind `cobre run`. */
export interface RunFlags {
  readonly ranks?: number;
  readonly backend?: string;
  readonly solver: SolverName;
  readonly output?: string;
  readonly resume?: boolean;
  readonly overwrite?: boolean;
  readonly config?: string;
  readonly events?: string;
  readonly stopAtEof?: boolean;
}

/** How long ranks may take to end the iteration in which they were asked to stop. */
const GRACE_SECONDS = 600;
const COBRE = fileURLToPath(new URL("../../bin/cobre.js", import.meta.url));

/** Runs a case in this process, which may be a rank, or starts the ranks that do. */
export async function startRun(directory: string, flags: RunFlags): Promise<void> {
  const output = resolve(flags.output ?? join(directory, "output"));
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
  const source = await loadCase(directory, await readSettings(flags.config));
  const solver = await loadSolver(flags.solver);
  if (flags.backend !== undefined && flags.backend !== "auto") {
    process.env.COBRE_COMM_BACKEND = parseLaunchBackend(flags.backend, "--backend");
  }
  using comm = await createCommunicator();
  const { backend, rank } = comm;
  if (events !== undefined) events.rank = rank;
  events?.tell({ type: "rank_started", pid: process.pid, backend });
  if (rank === 0 && process.env.COBRE_LAUNCH_RANK === undefined)
    tellWarnings(source.warnings, events);
  process.exitCode = await runCase(comm, {
    source,
    output,
    resume: flags.resume ?? false,
    overwrite: flags.overwrite ?? false,
    solver,
    version: packageVersion(),
    stream: process.stdout,
    tell: rank === 0 ? events?.tell : undefined,
    report: (error) => {
      events?.tellError(error);
      return reportFailure(error);
    },
  });
  events?.tell({ type: "rank_done", backend, wallMs: performance.now() });
}

/** What is wrong with the case or the directory is told once, before there are ranks. */
async function startRanks(
  directory: string,
  output: string,
  flags: RunFlags,
  ranks: number,
  events: EventFile | undefined,
): Promise<void> {
  const backend = parseLaunchBackend(flags.backend ?? "auto", "--backend");
  const source: Case = await loadCase(directory, await readSettings(flags.config));
  await loadSolver(flags.solver);
  tellWarnings(source.warnings, events);
  const goesOn = flags.resume || source.config.policy.mode === "resume";
  if (!goesOn && !flags.overwrite && source.config.training.isEnabled) {
    new OutputDirectory(output).refuseExisting();
  }
  const command = [process.execPath, COBRE, "run", directory, "--output", output];
  command.push("--solver", flags.solver);
  if (flags.resume) command.push("--resume");
  if (flags.overwrite) command.push("--overwrite");
  if (flags.config !== undefined) command.push("--config", flags.config);
  if (flags.events !== undefined) command.push("--events", flags.events);
  const job = await launch({
    ranks,
    backend,
    command,
    output: "inherit",
    graceSecs: GRACE_SECONDS,
    stdin: flags.stopAtEof || isatty(0) ? "ignore" : "inherit",
    forwardSignals: true,
    // Ranks that end with one of our codes have said why.
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

/** Prints the warnings of a case to stderr, one a line. */
function tellWarnings(warnings: Case["warnings"], events: EventFile | undefined): void {
  for (const issue of warnings) {
    console.error(`warning: ${formatIssue(issue)}`);
    events?.tell({ type: "warning", issue });
  }
}
