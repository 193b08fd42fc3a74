import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { Refusal } from "../refusal.js";
import { eventsFile, logFile, type RunSettings } from "./run-state.js";

/** What is run, and how. */
export interface ChildPlan {
  readonly command: readonly string[];
  readonly case: string;
  readonly directory: string;
  readonly ranks: number;
  readonly settings: RunSettings;
  /** Mebibytes of the heap of each process. */
  readonly memory: number;
  /** Whether the run ends with this process, even if that is killed. */
  readonly endsWithServer: boolean;
}

/** After every iteration, so that a run that is killed loses only the iteration under way. */
const CHECKPOINTS = [
  "--set",
  "policy.checkpointing.enabled=true",
  "--set",
  "policy.checkpointing.interval_iterations=1",
];

/** Variables of this process that are not for a run: its secret, and the job in which it may be a rank itself. */
const NOT_INHERITED = /^COBRE_(MCP_TOKEN$|LAUNCH_|SHM_|TCP_)/;

/** Starts `cobre run` in the background. Always with --resume, which begins anew in a directory without a policy. */
export async function startChild(
  plan: ChildPlan,
): Promise<ChildProcess & { readonly pid: number }> {
  const [file = "", ...before] = plan.command;
  const args = [...before, "run", plan.case, "--output", plan.directory, "--resume", "--quiet"];
  args.push("--events", eventsFile(plan.directory), ...CHECKPOINTS);
  const { set, iterations } = plan.settings;
  for (const { path, value } of set) args.push("--set", `${path}=${JSON.stringify(value)}`);
  if (iterations !== null) args.push("--iterations", String(iterations));
  if (plan.ranks > 1) args.push("-n", String(plan.ranks));
  if (plan.endsWithServer) args.push("--stop-at-eof");
  const log = openSync(logFile(plan.directory), "a");
  try {
    const child = spawn(file, args, {
      detached: true,
      stdio: [plan.endsWithServer ? "pipe" : "ignore", log, log],
      env: environment(plan.memory),
      windowsHide: true,
    });
    await once(child, "spawn");
    child.unref();
    return child as ChildProcess & { readonly pid: number };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal(
      `the command that runs cases could not be started: ${reason}`,
      "Ask the person who runs the server to install the cobre package.",
    );
  } finally {
    closeSync(log);
  }
}

function environment(memory: number): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
  const { NODE_OPTIONS = "" } = process.env;
  const limit = `--max-old-space-size=${memory}`;
  return { ...Object.fromEntries(kept), NODE_OPTIONS: `${NODE_OPTIONS} ${limit}`.trim() };
}
