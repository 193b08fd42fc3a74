import { Command } from "commander";
import { EXIT } from "../exit-codes.js";

/** `cobre compare`: whether two runs have found the same, bit for bit. */
export function compareCommand(): Command {
  return new Command("compare")
    .description("compare the results of two runs bit for bit, and tell the first difference")
    .argument("<a>", "the output directory of a run")
    .argument("<b>", "that of another")
    .helpOption("-h, --help", "print this help")
    .addHelpText(
      "after",
      "\nExit codes: 0 the same bits; 1 they differ; 4 one is not the output of a run.",
    )
    .action(async (a: string, b: string) => {
      const { firstDifference } = await import("../results/compare.js");
      const difference = await firstDifference(a, b);
      console.log(difference === undefined ? "the same bits" : `different: ${difference}`);
      process.exitCode = difference === undefined ? EXIT.done : EXIT.failed;
    });
}
