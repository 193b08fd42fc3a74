import { join, resolve } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { createCommunicator } from "@cobre/comm";
import { launch, parseLaunchBackend } from "@cobre/comm/launch";
import { type Case, loadCase, OutputDirectory } from "@cobre/io";
import { loadSolver, SOLVERS, type SolverName } from "@cobre/solver";
import { Command, Option } from "commander";
import { EXIT, EXIT_CODES_HELP } from "../exit-codes.js";
import { runCase } from "../run/run-case.js";
import { packageVersion } from "../version.js";
import { tellWarnings } from "./issues.js";
import { parseRanks } from "./ranks.js";

interface RunFlags {
  readonly ranks?: number;
  readonly backend?: string;
  readonly solver: SolverName;
  readonly output?: string;
  readonly resume?: boolean;
  readonly overwrite?: boolean;
}

const EXAMPLES = `
Examples:
  cobre run cases/1dtoy                        one process, results in cases/1dtoy/output
  cobre run cases/1dtoy -n 4 --output out      four ranks on this machine: the same bits
  cobre run cases/1dtoy --output out --resume  goes on with a run that was stopped
  mpirun -n 64 cobre run cases/1dtoy           joins the group it was started in

Ctrl-C stops after the current iteration and leaves a policy to resume from; with -n, a second one
stops at once.
${EXIT_CODES_HELP}`;

/** How long ranks may take to end the iteration in which they were asked to stop. */
const GRACE_SECONDS = 600;
const COBRE = fileURLToPath(new URL("../../bin/cobre.js", import.meta.url));

/** `cobre run`: trains and simulates a case. */
export function runCommand(): Command {
  return new Command("run")
    .summary("train a policy and simulate it")
    .description("Trains a policy for a case directory, simulates it, and writes the results.")
    .argument("<case>", "the case directory")
    .option("-n, --ranks <ranks>", "start so many ranks on this machine", parseRanks)
    .option("-b, --backend <name>", "how ranks meet: shm, tcp, mpi, local or auto")
    .addOption(
      new Option("-s, --solver <name>", "what solves the programs")
        .choices(SOLVERS)
        .default("highs"),
    )
    .option("-o, --output <directory>", "where results go (default: output in the case directory)")
    .option("--resume", "go on with the run in the output directory, to the same bits")
    .option("--overwrite", "replace the results in the output directory")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(run);
}

async function run(directory: string, flags: RunFlags, self: Command): Promise<void> {
  if (flags.resume && flags.overwrite) {
    self.error("error: --resume keeps what is there, --overwrite replaces it; give one of them.");
  }
  const output = resolve(flags.output ?? join(directory, "output"));
  if (flags.ranks !== undefined && !(flags.ranks === 1 && flags.backend === "local")) {
    await startRanks(directory, output, flags, flags.ranks);
    return;
  }
  const source = await loadCase(directory);
  const solver = await loadSolver(flags.solver);
  if (flags.backend !== undefined && flags.backend !== "auto") {
    process.env.COBRE_COMM_BACKEND = parseLaunchBackend(flags.backend, "--backend");
  }
  using comm = await createCommunicator();
  if (comm.rank === 0 && process.env.COBRE_LAUNCH_RANK === undefined) tellWarnings(source.warnings);
  process.exitCode = await runCase(comm, {
    source,
    output,
    resume: flags.resume ?? false,
    overwrite: flags.overwrite ?? false,
    solver,
    version: packageVersion(),
    stream: process.stdout,
  });
}

/** What is wrong with the case or the directory is told once, before there are ranks. */
async function startRanks(
  directory: string,
  output: string,
  flags: RunFlags,
  ranks: number,
): Promise<void> {
  const backend = parseLaunchBackend(flags.backend ?? "auto", "--backend");
  const source: Case = await loadCase(directory);
  await loadSolver(flags.solver);
  tellWarnings(source.warnings);
  const goesOn = flags.resume || source.config.policy.mode === "resume";
  if (!goesOn && !flags.overwrite && source.config.training.isEnabled) {
    new OutputDirectory(output).refuseExisting();
  }
  const command = [process.execPath, COBRE, "run", directory, "--output", output];
  command.push("--solver", flags.solver);
  if (flags.resume) command.push("--resume");
  if (flags.overwrite) command.push("--overwrite");
  const job = await launch({
    ranks,
    backend,
    command,
    output: "inherit",
    graceSecs: GRACE_SECONDS,
    stdin: isatty(0) ? "ignore" : "inherit",
    forwardSignals: true,
    // Ranks that end with one of our codes have said why.
    onNotice: (message) => {
      if (!/exited with code [1-5]\b/.test(message)) console.error(message);
    },
  });
  const { code, outputLost } = await job.done;
  if (outputLost) process.exit(code);
  process.exitCode = code === 0 ? EXIT.done : code;
}
