import { Command } from "commander";
import { print } from "../standard-output.js";

const EXAMPLES = `
Examples:
  cobre info                                   for you, and for bug reports
  cobre info --json | jq .backends             for programs`;

/** `cobre info`: what this machine offers, for users and for bug reports. */
export function infoCommand(): Command {
  return new Command("info")
    .description(
      "show what this machine offers: backends, MPI libraries, shared memory, solvers, variables",
    )
    .option("--json", "print JSON instead of text")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (options: { json?: boolean }) => {
      // Only here, so that other commands start without them.
      const { collectInfo } = await import("@cobre/comm/info");
      const { describeSolvers } = await import("@cobre/solver/info");
      const { formatInfo } = await import("./info-text.js");
      const [machine, solvers] = await Promise.all([collectInfo(), describeSolvers()]);
      const info = { ...machine, ...solvers };
      await print(options.json ? `${JSON.stringify(info, null, 2)}\n` : formatInfo(info));
    });
}
