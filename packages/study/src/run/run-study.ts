import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import { type Case, type ExistingOutput, OutputDirectory } from "@cobre/io";
import {
  agreeOnSolver,
  type Hold,
  type Plugins,
  SddpError,
  type SimulationResult,
  type TrainingResult,
} from "@cobre/sddp";
import { type LpSolver, loadSolver } from "@cobre/solver";
import type { StudyEvent, StudyListener } from "../events.js";
import { packageVersion } from "../version.js";
import { type OnFailure, onFirstRank } from "./agreement.js";
import { loadFileLocks } from "./file-locks.js";
import { iterationLimit } from "./iteration-limit.js";
import { ranksByMachine } from "./machines.js";
import type { RunContext } from "./metadata.js";
import { runSimulation } from "./run-simulation.js";
import { runTraining } from "./run-training.js";
import { readStart } from "./starting-policy.js";

/** How to run a study. All ranks give the same options, except callbacks and the signal. */
export interface StudyOptions {
  /** The directory for the results. */
  readonly output: string;
  /**
   * What to do if the directory already holds a run. Default: `"refuse"`. `"resume"` goes on with it, as if it had never stopped;
   * `"overwrite"` replaces its results.
   */
  readonly existing?: ExistingOutput | undefined;
  /** Default: highs-wasm. All ranks need the same. */
  readonly solver?: LpSolver | undefined;
  /** Whether a run may be resumed that was trained with another solver. The bits then differ from those of one solver alone. Default: false. */
  readonly allowsOtherSolver?: boolean | undefined;
  /**
   * Cancels the study when it is aborted on one rank: after the current iteration, or after the current scenario of the simulation. What
   * was trained so far is written and can be resumed.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Measures how long ranks wait for each other apart from how long they move data (`idle_time_ms`). It puts a barrier before each
   * exchange, which costs a little. Default: false.
   */
  readonly splitsWaiting?: boolean | undefined;
  /** Algorithms of your own; the case was read with the same. */
  readonly plugins?: Plugins | undefined;
  /** Lets training wait at the end of an iteration, for as long as its promise. It is asked on rank 0; the other ranks wait for rank 0. */
  readonly hold?: Hold | undefined;
  /** The command that was typed, for the metadata of the run. It is stored as it is: leave secrets out. */
  readonly command?: string | undefined;
  readonly onEvent?: StudyListener | undefined;
  /**
   * Called with an error that only this rank knows, before the other ranks learn of it and end. Returns a code, not 0, that they find in
   * {@link FailedElsewhere}. This rank then throws the error. Default: 1.
   */
  readonly onFailure?: OnFailure | undefined;
}

/** What a study came to; the same on every rank. The results in full are in its directory: `openRun`. */
export interface StudyResult {
  /** `"interrupted"` if the signal was aborted before the study ended. */
  readonly status: "completed" | "interrupted";
  /** `undefined` if the case has no training. */
  readonly training: TrainingResult | undefined;
  /** `undefined` if the case has no simulation, or it was interrupted. */
  readonly simulation: SimulationResult | undefined;
}

/**
 * Collective: trains a policy for a case, simulates it, and writes the results, as the configuration of the case says. Errors that a user
 * can mend are `OutputError`, `SddpError` and `SolverError`; their messages say what to do.
 *
 * @example
 * ```ts
 * using comm = await createCommunicator();
 * const cancel = new AbortController();
 * process.once("SIGINT", () => cancel.abort());
 * const { status, training } = await runStudy(comm, await loadCase("cases/1dtoy"), {
 *   output: "out",
 *   signal: cancel.signal,
 *   onEvent: (event) => {
 *     if (event.type === "iteration_done") console.log(event.record.iteration, event.record.lowerBound);
 *   },
 * });
 * ```
 */
export async function runStudy<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  source: Case,
  options: StudyOptions,
): Promise<StudyResult> {
  const { existing = "refuse", signal, onFailure = () => 1 } = options;
  const { config } = source;
  const tell = options.onEvent ?? (() => {});
  const isFirst = comm.rank === 0;
  const tellAsFirst = (event: StudyEvent) => {
    if (isFirst) tell(event);
  };
  const isCancelled = () => signal?.aborted ?? false;
  using output = new OutputDirectory(options.output);
  const context: RunContext = {
    source,
    solver: options.solver ?? (await loadSolver("highs")),
    ranks: comm.size,
    backend: comm.backend,
    machines: ranksByMachine(comm),
    version: packageVersion(),
    command: options.command,
    allowsOtherSolver: options.allowsOtherSolver ?? false,
    splitsWaiting: options.splitsWaiting ?? false,
    plugins: options.plugins,
    hold: options.hold,
  };
  agreeOnSolvers(comm, context.solver, onFailure);
  const locks = isFirst ? await loadFileLocks() : undefined;
  const start = readStart(comm, output, { source, existing, locks, tell, onFailure });
  tellAsFirst({
    type: "run_started",
    iterationLimit: (config.training.isEnabled ? iterationLimit(config) : undefined) ?? null,
    scenarios: config.simulation.isEnabled ? config.simulation.scenarios : null,
  });
  const training = config.training.isEnabled
    ? await runTraining(comm, output, context, start, isCancelled, tell, onFailure)
    : undefined;
  const policy = training?.policy ?? start.policy;
  if (training?.termination === "interrupted") {
    const { iteration } = training.policy;
    tellAsFirst({ type: "interrupted", during: "training", iteration });
    return { status: "interrupted", training, simulation: undefined };
  }
  if (!config.simulation.isEnabled || policy === undefined) {
    return { status: "completed", training, simulation: undefined };
  }
  const simulation = await runSimulation(
    comm,
    output,
    context,
    policy,
    isCancelled,
    tell,
    onFailure,
  );
  if (simulation === undefined) {
    tellAsFirst({ type: "interrupted", during: "simulation", iteration: policy.iteration });
    return { status: "interrupted", training, simulation };
  }
  tellAsFirst(simulationEvent(simulation));
  return { status: "completed", training, simulation };
}

/** Collective: all ranks learn of different solvers; rank 0 reports them. */
function agreeOnSolvers(comm: Communicator, solver: LpSolver, onFailure: OnFailure): void {
  let difference: unknown;
  try {
    agreeOnSolver(comm, solver);
  } catch (error) {
    if (!(error instanceof SddpError)) throw error;
    difference = error;
  }
  if (difference === undefined) return;
  const report = () => {
    throw difference;
  };
  onFirstRank(comm, report, onFailure);
}

function simulationEvent(result: SimulationResult): StudyEvent {
  const { statistics, costs, probabilities, hash } = result;
  const { mean, std, ci95 = null } = statistics;
  return {
    type: "simulation_result",
    mean,
    std,
    ci95,
    costs: [...costs],
    ...(probabilities && { probabilities: [...probabilities] }),
    hash,
  };
}
