import type { SolverName } from "@cobre/solver";
import { Command, Option } from "commander";
import { EXIT_CODES_HELP } from "../exit-codes.js";
import type { RunFlags } from "../run/start.js";
import { parseRanks } from "./ranks.js";

const SOLVERS = ["highs", "clp"] as const satisfies readonly SolverName[];

const EXAMPLES = `
Examples:
  cobre run cases/1dtoy                        one process, results in cases/1dtoy/output
  cobre run cases/1dtoy -n 4 --output out      four ranks on this machine: the same bits
  cobre run cases/1dtoy --output out --resume  goes on with a run that was stopped
  mpirun -n 64 cobre run cases/1dtoy           joins the group it was started in

Ctrl-C stops after the current iteration and leaves a policy to resume from; with -n, a second one
stops at once.
${EXIT_CODES_HELP}`;

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
    .option("--config <file>", "settings (JSON) to lay over those of the case's config.json")
    .option("--resume", "go on with the run in the output directory, to the same bits")
    .option("--overwrite", "replace the results in the output directory")
    .option("--events <file>", "append what happens, a line of JSON for each event")
    .option("--stop-at-eof", "stop, as at a signal, when standard input ends")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(run);
}

/** The solver is loaded when it is needed: the other commands start without it. */
async function run(directory: string, flags: RunFlags, self: Command): Promise<void> {
  if (flags.resume && flags.overwrite) {
    self.error("error: --resume keeps what is there, --overwrite replaces it; give one of them.");
  }
  const { startRun } = await import("../run/start.js");
  await startRun(directory, flags);
}
