import { join } from "node:path";
import { Command } from "commander";
import { counted } from "../counted.js";
import { EXIT_CODES_HELP } from "../exit-codes.js";
import { print } from "../standard-output.js";
import { typedCommand } from "../typed-command.js";

const HELP = `
Examples:
  cobre migrate cases/1dtoy cases/1dtoy-0.18   the same study, for Cobre 0.18

What Cobre 0.18 cannot say, or takes otherwise, is listed by file; docs/how-to-migrate.md tells it.
${EXIT_CODES_HELP}`;

/** `cobre migrate`: writes a case for Cobre 0.5 as one for Cobre 0.18. */
export function migrateCommand(): Command {
  return new Command("migrate")
    .summary("write a case for Cobre 0.5 as one for Cobre 0.18")
    .description("Writes a case for Cobre 0.5 as one for Cobre 0.18, with the same optimum.")
    .argument("<old>", "the directory of the case")
    .argument("<new>", "a directory that does not exist or is empty")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", HELP)
    .action(async (old: string, target: string) => {
      const { formatIssue } = await import("@cobre/core");
      const { loadCase, migrateCase } = await import("@cobre/sddp");
      const { SCHEMA_FOLDER, writeSchemas } = await import("../schemas.js");
      const { files, notes } = await migrateCase(old, target);
      writeSchemas(join(target, SCHEMA_FOLDER), ["json"], "0.18");
      const { warnings } = await loadCase(target);
      const lines = [
        ...notes.map(({ file, what, problem }) => `${file}: ${what}: ${problem}\n`),
        ...warnings.map((issue) => `${join(target, formatIssue(issue))}\n`),
      ];
      const verdict =
        notes.length === 0 ? "no difference" : `${counted(notes.length, "difference")}, see above`;
      const next = `\nNext:\n  ${typedCommand(["run", target])}\n`;
      await print(
        `${lines.join("")}${target}: ${counted(files.length, "file")}, ${verdict}\n${next}`,
      );
    });
}
