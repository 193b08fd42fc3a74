import { InitializationFailed } from "../errors/backend-error.js";
import { Job } from "./job.js";
import { checkOptions, type LaunchOptions } from "./options.js";
import { planLaunch } from "./plan.js";
import type { LaunchedJob } from "./result.js";

/**
 * Starts `ranks` processes of this machine that run the same command and can meet over a backend.
 *
 * Each rank has `COBRE_LAUNCH_RANK` and `COBRE_LAUNCH_SIZE`, and what its backend needs, in its
 * environment; what an outer MPI, Slurm or Cobre launch left there is removed. Each has a process
 * group of its own, which is signalled, ended and killed as a whole. If one rank fails, the others
 * are asked to end (SIGTERM), and killed after the grace time. Nothing is left behind, also if this
 * process is killed; only a process that leaves its group (a daemon) is out of reach.
 *
 * With the backend `mpi` the ranks are started by the `mpirun` of the machine's MPI library; one rank's
 * failure then always ends the others.
 *
 * Resolves when every rank runs. Throws {@link CommandNotRunnable} if the command cannot be run,
 * `InvalidArgument` and a `BackendError` for what cannot be meant, and `InitializationFailed` if the
 * system has no room for so many processes.
 *
 * @example
 * ```ts
 * import { launch } from "@cobre/comm/launch";
 *
 * const job = await launch({ ranks: 4, command: ["node", "train.mjs"] });
 * const { code } = await job.done;
 * process.exitCode = code;
 * ```
 *
 * @example What a test needs: the output of each rank, and a rank that is killed
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
  const plan = await planLaunch(settings.backend, settings.ranks, env);
  const job = new Job(settings, plan);
  await job.start();
  return job;
}
