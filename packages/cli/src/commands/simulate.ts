import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Setting } from "@cobre/study";
import { Command } from "commander";
import { EXIT_CODES_HELP } from "../exit-codes.js";
import type { RunFlags } from "../run/start.js";
import { parseCount, withCaseOptions } from "./case-options.js";
import { withRunOptions } from "./run.js";

const EXAMPLES = `
Examples:
  cobre simulate cases/1dtoy --policy out                     the scenarios of the case
  cobre simulate cases/1dtoy --policy out --scenarios 5000    more of them
  cobre simulate cases/1dtoy --policy out -o other --seed 7   others, of another opening tree

The results go to a directory of their own, and the run that trained the policy stays as it is.
${EXIT_CODES_HELP}`;

type SimulateFlags = RunFlags & { readonly policy: string; readonly scenarios?: number };

/** `cobre simulate`: simulates a policy that a run has trained. */
export function simulateCommand(): Command {
  const command = new Command("simulate")
    .summary("simulate a trained policy")
    .description("Simulates a policy that a run has trained, with other scenarios if you like.")
    .argument("<case>", "the case: a directory, or one JSON file")
    .requiredOption("-p, --policy <directory>", "the output directory of the run that trained it")
    .option("--scenarios <count>", "how many scenarios (default: as the case says)", parseCount);
  return withRunOptions(withCaseOptions(command))
    .option("-o, --output <directory>", "where results go (default: the policy's, -simulated)")
    .option("--overwrite", "replace the results in the output directory")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(simulate);
}

async function simulate(directory: string, flags: SimulateFlags): Promise<void> {
  const { OutputDirectory } = await import("@cobre/io");
  const { startRun } = await import("../run/start.js");
  const output = flags.output ?? `${resolve(flags.policy)}-simulated`;
  new OutputDirectory(resolve(output)).check(flags.overwrite ? "overwrite" : "refuse");
  const set: Setting[] = [
    ...(flags.set ?? []),
    ["training.enabled", false],
    ["policy.path", policyIn(resolve(flags.policy))],
    ["simulation.enabled", true],
  ];
  if (flags.scenarios !== undefined) set.push(["simulation.num_scenarios", flags.scenarios]);
  await startRun(directory, { ...flags, output, set });
}

/** The policy of an output directory; also a policy file or its folder. */
function policyIn(path: string): string {
  const folder = join(path, "policy");
  return existsSync(folder) ? folder : path;
}
