import type { RunComparison } from "@cobre/study";
import { Command, InvalidArgumentError } from "commander";
import { EXIT, EXIT_CODES_HELP } from "../exit-codes.js";
import { print } from "../standard-output.js";

interface CompareFlags {
  readonly tolerance?: number;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  cobre compare out-1 out-4                    the same bits on one rank and on four?
  cobre compare before after --tolerance 1e-9  the same up to rounding?
  cobre compare before after || echo changed   in a script
  cobre compare before after --json | jq .largest.relative

With a tolerance every number is compared: |a - b| must be at most the tolerance times the largest
of |a|, |b| and 1. Bases of linear programs, which are no results, are left out.
${EXIT_CODES_HELP}`;

/** `cobre compare`: whether two runs have the same results. */
export function compareCommand(): Command {
  return new Command("compare")
    .summary("compare the results of two runs")
    .description("Compares the results of two runs bit for bit, and shows the first difference.")
    .argument("<a>", "the output directory of a run")
    .argument("<b>", "the output directory of another run")
    .option(
      "--tolerance <relative>",
      "accept differences up to this, and tell the largest",
      parseTolerance,
    )
    .option("--json", "print JSON instead of text")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (a: string, b: string, { tolerance, json }: CompareFlags) => {
      const { compareRuns } = await import("@cobre/study");
      const comparison = await compareRuns(a, b, tolerance);
      process.exitCode = comparison.isSame ? EXIT.done : EXIT.failed;
      const { isSame, difference, largest } = comparison;
      const told = { same: isSame, tolerance: tolerance ?? null, difference, largest };
      await print(json ? `${JSON.stringify(told, null, 2)}\n` : `${verdictOf(comparison)}\n`);
    });
}

function verdictOf({ isSame, tolerance, difference, largest }: RunComparison): string {
  if (difference !== null) return `different: ${difference}`;
  if (tolerance === null) return "the same bits";
  if (largest === null) return `the same within ${tolerance}: no number differs`;
  const { relative, place: where, a, b } = largest;
  const size = relative < 1e-3 ? relative.toExponential(2) : relative.toPrecision(3);
  const place = `${size} in ${where}: ${a} and ${b}`;
  return isSame
    ? `the same within ${tolerance}; the largest difference is ${place}`
    : `different: more than ${tolerance} apart; the largest difference is ${place}`;
}

function parseTolerance(text: string): number {
  const tolerance = Number(text);
  if (text.trim() !== "" && tolerance >= 0 && Number.isFinite(tolerance)) return tolerance;
  throw new InvalidArgumentError("It must be a number from 0, as in 1e-9.");
}
