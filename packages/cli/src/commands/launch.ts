import { isatty } from "node:tty";
import { launch, MAX_SECONDS, parseLaunchBackend } from "@cobre/comm/launch";
import { Command, InvalidArgumentError } from "commander";
import { parseRanks } from "./ranks.js";

interface LaunchFlags {
  readonly ranks?: number;
  readonly backend: string;
  readonly timeout?: number;
  readonly commTimeout?: number;
  readonly grace: number;
}

const EXAMPLES = `
Examples:
  cobre launch -n 4 -- node train.mjs          four ranks, the best backend there is
  cobre launch -n 4 --timeout 600 -- node train.mjs --case demo
                                               ended with exit code 124 after ten minutes
  cobre launch -n 4 --backend mpi -- node train.mjs
                                               by the mpirun of this machine's MPI
  cobre launch -n 2 -- python3 worker.py       ranks can be any program

Each rank has COBRE_LAUNCH_RANK and COBRE_LAUNCH_SIZE in its environment. Its output is shown behind
[rank]. Rank 0 reads standard input unless it is a terminal; the others read nothing. On x64,
GLIBC_TUNABLES puts arrays in huge pages; malloc settings that are in it already stay as they are.

When a rank fails, the others are ended and the exit code is that rank's (128 + the number of the
signal that ended it). Other exit codes: 2 the command line is wrong, 124 the time limit was reached,
126 the command is not executable, 127 it was not found. Ctrl-C ends all ranks; again, at once.`;

/** `cobre launch`: starts ranks on this machine. */
export function launchCommand(): Command {
  return (
    new Command("launch")
      .summary("start the ranks of a job on this machine")
      .description("Starts the ranks of a job on this machine, and ends them together.")
      .usage("-n <ranks> [options] [--] <command> [args...]")
      .argument("<command...>", "the program that every rank runs, and its arguments")
      // Not a requiredOption: its absence would be blamed where another option is mistyped.
      .option("-n, --ranks <ranks>", "how many ranks to start", parseRanks)
      .option("-b, --backend <name>", "how they meet: shm, tcp, mpi, local or auto", "auto")
      .option("-t, --timeout <seconds>", "end the job if it takes longer", parseSeconds)
      .option("--comm-timeout <seconds>", "the longest a collective may take", parseSeconds)
      .option("--grace <seconds>", "time to end before being killed", parseSeconds, 3)
      .helpOption("-h, --help", "print this help")
      .passThroughOptions()
      .addHelpText("after", EXAMPLES)
      .action(runLaunch)
  );
}

async function runLaunch(command: string[], flags: LaunchFlags, self: Command): Promise<void> {
  const { ranks } = flags;
  if (ranks === undefined) self.error("error: how many ranks? Say it with -n, as in -n 4.");
  const job = await launch({
    ranks,
    backend: parseLaunchBackend(flags.backend, "--backend"),
    command,
    timeoutSecs: flags.timeout,
    commTimeoutSecs: flags.commTimeout,
    graceSecs: flags.grace,
    // A rank is not of the terminal's session: reading it would race with the shell for each key.
    stdin: isatty(0) ? "ignore" : "inherit",
    forwardSignals: true,
  });
  const { code, outputLost } = await job.done;
  if (outputLost) process.exit(code); // what could not be written would keep the process waiting
  process.exitCode = code;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d*\.?\d+$/.test(text) && seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw new InvalidArgumentError(`It must be a number of seconds above 0, up to ${MAX_SECONDS}.`);
}
