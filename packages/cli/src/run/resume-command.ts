import { caseArguments } from "../commands/case-options.js";
import { nearer, typedCommand } from "../typed-command.js";
import type { RunFlags } from "./start.js";

/** The command that goes on with a run, to be typed in the current directory. */
export function resumeCommand(
  directory: string,
  output: string,
  flags: RunFlags,
  ranks: number | undefined,
): string {
  const words = ["run", nearer(directory), "--output", nearer(output)];
  if (ranks !== undefined) words.push("-n", String(ranks));
  // Ranks are given the solver by its full name, also if nobody asked for one.
  if (!["highs", "highs-wasm"].includes(flags.solver)) words.push("--solver", flags.solver);
  words.push(...caseArguments(flags), "--resume");
  return typedCommand(words);
}
