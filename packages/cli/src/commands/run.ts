import type { SolverChoice } from "@cobre/solver";
import { Command, Option } from "commander";
import { EXIT_CODES_HELP } from "../exit-codes.js";
import type { RunFlags } from "../run/start.js";
import { BIND_HELP } from "./bind.js";
import { withTrainingOptions } from "./case-options.js";
import { parseRanks } from "./ranks.js";
import { parseLimit } from "./seconds.js";
import type { TuiFlags } from "./tui.js";

const SOLVERS = [
  "highs",
  "highs-wasm",
  "highs-native",
  "clp",
  "auto",
] as const satisfies readonly SolverChoice[];

const EXAMPLES = `
Examples:
  cobre run cases/1dtoy                        one process, results in cases/1dtoy/output
  cobre run cases/1dtoy -n 4 --output out      four ranks on this machine: the same bits
  cobre run cases/1dtoy --iterations 20 --set training.forward_passes=8
                                               other settings than those of config.json
  cobre run cases/1dtoy --output out --resume  continues a run that was stopped
  mpirun -n 64 cobre run cases/1dtoy           joins the group it was started in

Ctrl-C stops after the current iteration, or after the current scenario of the simulation, and
leaves a policy to resume from. A second Ctrl-C stops at once.
${EXIT_CODES_HELP}`;

/** `cobre run`: trains and simulates a case. */
export function runCommand(): Command {
  const command = new Command("run")
    .summary("train a policy and simulate it")
    .description("Trains a policy for a case, simulates it, and writes the results.")
    .argument("<case>", "the case: a directory, or one JSON file");
  return withRunOptions(withTrainingOptions(command))
    .option("-o, --output <directory>", "where results go (default: output in the case directory)")
    .option("--resume", "continue the run in the output directory, with the same bits")
    .option("--allow-other-solver", "with --resume: even if the run was begun with another solver")
    .option("--overwrite", "replace the results in the output directory")
    .option("--stop-at-eof", "stop, as at a signal, when standard input ends")
    .option(
      "--hold <file>",
      "wait at the end of iterations from the one whose number is in the file",
    )
    .option("--tui", "show it in a dashboard in the terminal; --plain and --ascii as in cobre tui")
    .addOption(new Option("--plain").hideHelp())
    .addOption(new Option("--ascii").hideHelp())
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(run);
}

/** Adds the options that tell how a study runs: on which ranks, with which solver, what it prints. */
export function withRunOptions(command: Command): Command {
  return command
    .option("-n, --ranks <ranks>", "start this number of ranks on this machine", parseRanks)
    .option("-b, --backend <name>", "how ranks communicate: shm, tcp, mpi, local or auto")
    .option("--bind <processors>", BIND_HELP)
    .addOption(
      new Option(
        "-s, --solver <name>",
        "the solver of the linear programs; auto: the fastest HiGHS found",
      )
        .choices(SOLVERS)
        .default("highs"),
    )
    .option(
      "--comm-timeout <seconds>",
      "give up on a rank that lives but is later than this (default: none)",
      parseLimit,
    )
    .option("-q, --quiet", "print nothing but warnings and errors")
    .option("--report", "write report.html beside the results: a page to look at")
    .option("--events <file>", "append what happens, a line of JSON for each event; - prints it");
}

/** Loads the solver only here, so that other commands start without it. */
async function run(
  directory: string,
  flags: RunFlags & TuiFlags & { readonly tui?: boolean },
  self: Command,
): Promise<void> {
  if (flags.resume && flags.overwrite) {
    self.error("error: --resume continues a run, --overwrite replaces it; give only one of them.");
  }
  if (flags.hold !== undefined && Number.isFinite(flags.commTimeout ?? Number.POSITIVE_INFINITY)) {
    self.error(
      "error: with --comm-timeout, ranks would give up one that is held; leave out --hold.",
    );
  }
  if (flags.tui) {
    refuseWith(flags, self);
    const { runUnderDashboard } = await import("../run/under-dashboard.js");
    await runUnderDashboard(directory, flags, process.argv.slice(2));
    return;
  }
  const { startRun } = await import("../run/start.js");
  await startRun(directory, flags);
}

/** What a dashboard cannot share: standard output and input, and the file that holds the run. */
function refuseWith({ events, hold, stopAtEof }: RunFlags, self: Command): void {
  if (events === "-") self.error("error: --tui has the terminal; give --events a file, not -.");
  if (hold !== undefined) self.error("error: --tui holds the run itself; leave out --hold.");
  if (stopAtEof) self.error("error: --tui ends its run itself; leave out --stop-at-eof.");
  if (process.env.COBRE_LAUNCH_RANK !== undefined)
    self.error("error: --tui is for one process: give it -n instead of starting ranks around it.");
}
