import { InitializationFailed } from "../errors/backend-error.js";
import { Binder } from "./binding.js";
import { Job } from "./job.js";
import { checkOptions, type LaunchOptions } from "./options.js";
import { planLaunch } from "./plan.js";
import type { LaunchedJob } from "./result.js";

/**
 * Starts `ranks` processes on this machine that run the same command and are connected by a backend.
 *
 * Each rank finds `COBRE_LAUNCH_RANK`, `COBRE_LAUNCH_SIZE` and the variables of its backend in its
 * environment. Variables of an outer MPI, Slurm or Cobre launch are removed. Each rank has its own
 * process group, which is signalled, ended and killed as a whole. If one rank fails, the others are
 * asked to end (SIGTERM), and killed after the grace time. Nothing is left behind, even if this process
 * is killed; only a process that leaves its group (a daemon) is out of reach.
 *
 * With the backend `mpi`, the `mpirun` of the machine's MPI library starts the ranks. The failure of
 * one rank then always ends the others.
 *
 * Resolves when every rank is running. Throws {@link CommandNotRunnable} if the command cannot be run,
 * `InvalidArgument` or a `BackendError` if the options are invalid, and `InitializationFailed` if the
 * system cannot start that many processes.
 *
 * @example
 * ```ts
 * import { launch } from "@cobre/comm/launch";
 *
 * const job = await launch({ ranks: 4, command: ["node", "program.mjs"] });
 * const { code } = await job.done;
 * process.exitCode = code;
 * ```
 *
 * @example A test that kills a rank and captures the output of each
 * ```ts
 * await using job = await launch({
 *   ranks: 3,
 *   command: ["node", "rank.mjs"],
 *   output: "capture",
 *   endOnFailure: false,
 * });
 * job.ranks[1]?.kill("SIGKILL");
 * const { ranks } = await job.done;
 * assert.match(ranks[0]?.stderr ?? "", /CollectiveFailed/);
 * ```
 */
export async function launch(options: LaunchOptions): Promise<LaunchedJob> {
  const settings = checkOptions(options);
  if (process.platform === "win32") {
    throw new InitializationFailed(
      settings.backend === "auto" ? "local" : settings.backend,
      "the launcher needs process groups and signals, which Windows does not have. Use WSL.",
    );
  }
  const env = { ...process.env, ...settings.env(0) };
  // Before the plan is made: a plan must be closed, and this may throw.
  const binder = await Binder.plan(settings.bind, settings.ranks);
  const plan = await planLaunch(settings.backend, settings.ranks, env, settings.bind);
  const job = new Job(settings, plan, binder);
  await job.start();
  return job;
}
