import { isatty } from "node:tty";
import { Command } from "commander";
import { BIND_HELP } from "./bind.js";
import { parseRanks } from "./ranks.js";
import { parseLimit, parseSeconds } from "./seconds.js";

interface LaunchFlags {
  readonly ranks?: number;
  readonly backend: string;
  readonly timeout?: number;
  readonly commTimeout?: number;
  readonly hugePages: boolean;
  readonly bind?: string;
  readonly grace: number;
}

const EXAMPLES = `
Examples:
  cobre launch -n 4 -- node train.mjs          four ranks, the best backend available
  cobre launch -n 4 --timeout 600 -- node train.mjs --case demo
                                               ended with exit code 124 after ten minutes
  cobre launch -n 4 --backend mpi -- node train.mjs
                                               with the mpirun of this machine's MPI
  cobre launch -n 2 -- python3 worker.py       ranks can be any program

Each rank has COBRE_LAUNCH_RANK and COBRE_LAUNCH_SIZE in its environment. Its output is shown after
[rank]. Rank 0 reads standard input unless it is a terminal; the others read nothing. On x64,
GLIBC_TUNABLES puts arrays in huge pages (--no-huge-pages: it does not); malloc settings that are
already in it stay as they are.

Ranks get processors of their own: those of this process are divided, whole cores first. --bind
0-3,8 divides these, --bind 0-3/4-7 has a list for each rank, --bind none divides nothing. Nothing
is divided if there are more ranks than processors.

When a rank fails, the others are ended and the exit code is that rank's (128 + the number of the
signal that ended it). Other exit codes: 2 the command line is wrong, 124 the time limit was
reached, 126 the command is not executable, 127 it was not found. Ctrl-C ends all ranks; a second
one, at once.`;

/** `cobre launch`: starts ranks on this machine. */
export function launchCommand(): Command {
  return (
    new Command("launch")
      .summary("start the ranks of a job on this machine")
      .description("Starts the ranks of a job on this machine, and ends them together.")
      .usage("-n <ranks> [options] [--] <command> [args...]")
      .argument("<command...>", "the program that every rank runs, and its arguments")
      // Not a requiredOption, or a mistyped option would be reported as a missing -n.
      .option("-n, --ranks <ranks>", "how many ranks to start", parseRanks)
      .option("-b, --backend <name>", "how ranks communicate: shm, tcp, mpi, local, auto", "auto")
      .option("-t, --timeout <seconds>", "end the job if it takes longer", parseSeconds)
      .option(
        "--comm-timeout <seconds>",
        "the longest a collective may take, or none (60)",
        parseLimit,
      )
      .option("--bind <processors>", BIND_HELP)
      .option("--no-huge-pages", "leave the arrays of ranks in ordinary pages")
      .option("--grace <seconds>", "time to end before being killed", parseSeconds, 3)
      .helpOption("-h, --help", "print this help")
      .passThroughOptions()
      .addHelpText("after", EXAMPLES)
      .action(runLaunch)
  );
}

async function runLaunch(command: string[], flags: LaunchFlags, self: Command): Promise<void> {
  const { ranks } = flags;
  if (ranks === undefined) self.error("error: how many ranks? Give -n, as in -n 4.");
  const { launch, parseLaunchBackend } = await import("@cobre/comm/launch");
  const job = await launch({
    ranks,
    backend: parseLaunchBackend(flags.backend, "--backend"),
    command,
    timeoutSecs: flags.timeout,
    commTimeoutSecs: flags.commTimeout,
    hugePages: flags.hugePages,
    bind: flags.bind,
    graceSecs: flags.grace,
    // Ranks are not in the terminal's foreground group: reading it would compete with the shell for input.
    stdin: isatty(0) ? "ignore" : "inherit",
    forwardSignals: true,
  });
  const { code, outputLost } = await job.done;
  if (outputLost) process.exit(code); // output that cannot be written would keep the process alive
  process.exitCode = code;
}
