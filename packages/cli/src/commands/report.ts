import { Command } from "commander";

/** `cobre report`: what a run found, as JSON. */
export function reportCommand(): Command {
  return new Command("report")
    .description("print the results of a run as JSON")
    .argument("<output>", "the output directory of a run")
    .helpOption("-h, --help", "print this help")
    .action(async (directory: string) => {
      const { reportOf } = await import("../results/report.js");
      process.stdout.write(`${JSON.stringify(reportOf(directory), null, 2)}\n`);
    });
}
