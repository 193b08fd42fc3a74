import { collectInfo } from "@cobre/comm/info";
import { Command } from "commander";
import { formatInfo } from "./info-text.js";

/** `cobre info`: what was found on this machine, for people and for bug reports. */
export function infoCommand(): Command {
  return new Command("info")
    .description("show what this machine offers: backends, MPI libraries, shared memory, variables")
    .option("--json", "print JSON instead of text")
    .action(async (options: { json?: boolean }) => {
      const info = await collectInfo();
      process.stdout.write(options.json ? `${JSON.stringify(info, null, 2)}\n` : formatInfo(info));
    });
}
