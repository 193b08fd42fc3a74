import { Command } from "commander";
import { counted } from "../counted.js";
import { EXIT, EXIT_CODES_HELP } from "../exit-codes.js";
import { print } from "../standard-output.js";
import { type CaseFlags, withTrainingOptions } from "./case-options.js";

interface ValidateFlags extends CaseFlags {
  readonly json?: boolean;
  readonly coefficients?: boolean;
}

const EXAMPLES = `
Examples:
  cobre validate cases/1dtoy                   everything that is wrong, with file and field
  cobre validate cases/1dtoy --coefficients    also the ranges of coefficients, family by family
  cobre validate cases/1dtoy --json | jq .summary
${EXIT_CODES_HELP}`;

/** `cobre validate`: lists everything that is wrong with a case. */
export function validateCommand(): Command {
  const command = new Command("validate")
    .description("check a case and list everything that is wrong with it")
    .argument("<case>", "the case: a directory, or one JSON file");
  return withTrainingOptions(command)
    .option(
      "--coefficients",
      "also print the ranges of coefficients of each family of columns and rows",
    )
    .option("--json", "print JSON instead of text, with a summary of the case and all coefficients")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (directory: string, { json, coefficients, ...flags }: ValidateFlags) => {
      const { formatIssue } = await import("@cobre/core");
      const { validateCase } = await import("@cobre/sddp");
      const { coefficientsJson, coefficientsOf, summaryOf } = await import("@cobre/study");
      const { settingsFrom } = await import("../run/settings.js");
      const settings = await settingsFrom(directory, flags);
      const { case: found, issues } = await validateCase(directory, settings);
      const errors = issues.filter(({ severity }) => severity === "error");
      process.exitCode = found === undefined ? EXIT.invalidCase : EXIT.done;
      if (json) {
        const told = {
          valid: !!found,
          issues,
          summary: found && summaryOf(found),
          coefficients: found && coefficientsJson(coefficientsOf(found), found),
        };
        await print(`${JSON.stringify(told, null, 2)}\n`);
      } else {
        const lines = issues.map((issue) => `${issue.severity}: ${formatIssue(issue)}\n`);
        const warnings = issues.length - errors.length;
        const verdict = found === undefined ? "cannot be used" : "is valid";
        const counts = `${counted(errors.length, "error")}, ${counted(warnings, "warning")}`;
        const { coefficientText } = await import("./coefficient-text.js");
        const ranges = found && coefficientText(coefficientsOf(found), coefficients ?? false);
        await print(`${lines.join("")}${ranges ?? ""}${directory} ${verdict}: ${counts}\n`);
      }
    });
}
