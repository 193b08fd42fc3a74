import { Command } from "commander";
import { EXIT, EXIT_CODES_HELP } from "../exit-codes.js";
import { summaryOf } from "../results/case-summary.js";

interface ValidateFlags {
  readonly json?: boolean;
  readonly config?: string;
}

/** `cobre validate`: everything that is wrong with a case. */
export function validateCommand(): Command {
  return new Command("validate")
    .description("check a case directory and list everything that is wrong with it")
    .argument("<case>", "the case directory")
    .option("--config <file>", "settings (JSON) to lay over those of the case's config.json")
    .option("--json", "print JSON instead of text, with a summary of the case")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXIT_CODES_HELP)
    .action(async (directory: string, { json, config }: ValidateFlags) => {
      const { formatIssue } = await import("@cobre/core");
      const { validateCase } = await import("@cobre/io");
      const { readSettings } = await import("../run/settings.js");
      const { case: found, issues } = await validateCase(directory, await readSettings(config));
      const errors = issues.filter(({ severity }) => severity === "error");
      if (json) {
        const summary = found && summaryOf(found);
        process.stdout.write(`${JSON.stringify({ valid: !!found, issues, summary }, null, 2)}\n`);
      } else {
        for (const issue of issues) console.log(`${issue.severity}: ${formatIssue(issue)}`);
        const warnings = issues.length - errors.length;
        const verdict = found === undefined ? "cannot be used" : "is in order";
        console.log(
          `${directory} ${verdict}: ${count(errors.length, "error")}, ${count(warnings, "warning")}`,
        );
      }
      process.exitCode = found === undefined ? EXIT.invalidCase : EXIT.done;
    });
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
