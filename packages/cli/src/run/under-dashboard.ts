import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { lookOf, type TuiFlags } from "../commands/tui.js";
import type { RunFlags } from "./start.js";

const COBRE = fileURLToPath(new URL("../../bin/cobre.js", import.meta.url));
/** Options that are for the dashboard and not for the run. */
const OWN = ["--tui", "--plain", "--ascii"];

/** Starts the same command without its dashboard, and shows what it tells. */
export async function runUnderDashboard(
  directory: string,
  flags: RunFlags & TuiFlags,
  argv: readonly string[],
): Promise<void> {
  const { showRun } = await import("@cobre/tui");
  const run = {
    command: [process.execPath, ...process.execArgv, COBRE, ...withoutOwn(argv)],
    source: directory,
    output: resolve(flags.output ?? join(directory, "output")),
    title: basename(resolve(directory)),
    events: flags.events,
    startsRanks: flags.ranks !== undefined && !(flags.ranks === 1 && flags.backend === "local"),
    unpausable:
      flags.commTimeout !== undefined && Number.isFinite(flags.commTimeout)
        ? "cannot pause: with --comm-timeout, ranks would give up the one that waits"
        : undefined,
  };
  process.exitCode = await showRun(run, lookOf(flags));
}

/** What stands after `--` is no option. */
function withoutOwn(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  const rest = end < 0 ? [] : argv.slice(end);
  return [...options.filter((word) => !OWN.includes(word)), ...rest];
}
