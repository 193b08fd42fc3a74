import { relative } from "node:path";
import { caseArguments } from "../commands/case-options.js";
import { quoted } from "./command-line.js";
import type { RunFlags } from "./start.js";

/** The command that goes on with a run, to be typed in the current directory. */
export function resumeCommand(
  directory: string,
  output: string,
  flags: RunFlags,
  ranks: number | undefined,
): string {
  const words = ["cobre", "run", nearer(directory), "--output", nearer(output)];
  if (ranks !== undefined) words.push("-n", String(ranks));
  // Ranks are given the solver by its full name, also if nobody asked for one.
  if (!["highs", "highs-wasm"].includes(flags.solver)) words.push("--solver", flags.solver);
  words.push(...caseArguments(flags), "--resume");
  return words.map(quoted).join(" ");
}

/** A path as one would type it. */
function nearer(path: string): string {
  const short = relative("", path);
  return short === "" ? "." : short.length < path.length ? short : path;
}
