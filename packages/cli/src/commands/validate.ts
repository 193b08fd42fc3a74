import { Command } from "commander";
import { EXIT, EXIT_CODES_HELP } from "../exit-codes.js";

/** `cobre validate`: everything that is wrong with a case. */
export function validateCommand(): Command {
  return new Command("validate")
    .description("check a case directory and list everything that is wrong with it")
    .argument("<case>", "the case directory")
    .option("--json", "print JSON instead of text")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXIT_CODES_HELP)
    .action(async (directory: string, { json }: { json?: boolean }) => {
      const { formatIssue } = await import("@cobre/core");
      const { validateCase } = await import("@cobre/io");
      const { case: found, issues } = await validateCase(directory);
      const errors = issues.filter(({ severity }) => severity === "error");
      if (json) process.stdout.write(`${JSON.stringify({ valid: !!found, issues }, null, 2)}\n`);
      else {
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
