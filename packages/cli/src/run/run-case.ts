import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import { type Case, OUTPUT_FILES, OutputDirectory } from "@cobre/io";
import {
  decodePolicy,
  type EventListener,
  type Policy,
  SddpError,
  type SddpEvent,
  type SimulationResult,
  simulate,
  type TrainingResult,
  train,
} from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import { EXIT } from "../exit-codes.js";
import { exitCodeOf } from "../failure.js";
import { onFirstRank } from "./agreement.js";
import type { RunEvent } from "./event-file.js";
import { amount, describeRun, duration, iterationLimit, type LogStream, RunLog } from "./log.js";
import {
  type RunContext,
  simulationMetadata,
  type TimingRow,
  writePolicy,
  writeTraining,
} from "./write-training.js";

/** What `cobre run` was asked to do. */
export interface RunRequest {
  readonly source: Case;
  readonly output: string;
  readonly resume: boolean;
  readonly overwrite: boolean;
  readonly solver: LpSolver;
  readonly version: string;
  readonly stream: LogStream;
  /** Hears everything that this rank does. */
  readonly tell?: ((event: RunEvent) => void) | undefined;
}

/** Collective: trains, simulates, and writes the results. Returns the exit code. */
export async function runCase<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  request: RunRequest,
): Promise<number> {
  const { source, solver, tell } = request;
  const { config } = source;
  const output = new OutputDirectory(request.output);
  const context: RunContext = {
    source,
    output,
    solver,
    ranks: comm.size,
    backend: comm.backend,
    version: request.version,
    startedAt: new Date(),
  };
  const isFirst = comm.rank === 0;
  const start = readStart(comm, context, request);
  const log = isFirst ? new RunLog(request.stream, source) : undefined;
  if (log !== undefined) {
    const name = `${solver.name} ${solver.version}`;
    for (const line of describeRun(source, { ...context, solver: name })) log.line(line);
    log.line();
  }
  const onEvent = (event: SddpEvent): void => {
    log?.onEvent(event);
    tell?.(event);
  };
  tell?.({
    type: "run_started",
    iterationLimit: config.training.isEnabled ? iterationLimit(config) : null,
    scenarios: config.simulation.isEnabled ? config.simulation.scenarios : null,
  });
  const failureDirectory = output.file("failures");
  const training = config.training.isEnabled
    ? await runTraining(comm, context, start, log, onEvent)
    : undefined;
  if (training?.termination === "interrupted") {
    log?.line(`interrupted after iteration ${training.policy.iteration}; --resume goes on`);
    return EXIT.interrupted;
  }
  const policy = training?.policy ?? start.policy;
  if (!config.simulation.isEnabled || policy === undefined) return EXIT.done;
  if (isFirst) output.clearSimulation();
  comm.barrier();
  const result = await simulate(comm, source, policy, {
    solver,
    failureDirectory,
    onEvent,
    onScenario: (scenario, tables) => output.writeScenario(scenario, tables),
  });
  comm.barrier(); // every partition is on the disk
  if (isFirst) {
    output.writeJson(OUTPUT_FILES.simulationMetadata, simulationMetadata(context, result));
    output.mark(OUTPUT_FILES.simulationSuccess);
    tellSimulation(log, result);
    const { mean, std, ci95 = null } = result.statistics;
    tell?.({
      type: "simulation_result",
      mean,
      std,
      ci95,
      costs: [...result.costs],
      hash: result.hash,
    });
  }
  return EXIT.done;
}

interface Start {
  readonly policy: Policy | undefined;
  readonly isWarm: boolean;
}

/** Makes the output directory ready and reads the policy to begin with: rank 0 does, for all. */
function readStart(
  comm: Communicator,
  { source, output }: RunContext,
  { resume, overwrite }: RunRequest,
): Start {
  const { config } = source;
  const { isEnabled } = config.training;
  const goesOn = resume || config.policy.mode === "resume" || !isEnabled;
  const isWarm = !goesOn && config.policy.mode === "warm_start";
  const file = isWarm
    ? policyAt(resolve(source.directory, config.policy.path))
    : output.file(OUTPUT_FILES.policy);
  const bytes = onFirstRank(
    comm,
    () => {
      // Read first: a policy that is not there must leave the directory as it was.
      const content = goesOn || isWarm ? readPolicy(file, isWarm || !isEnabled) : undefined;
      const existing = goesOn ? "resume" : overwrite ? "overwrite" : "refuse";
      output.prepare(existing, isEnabled ? undefined : [OUTPUT_FILES.simulationSuccess]);
      return content;
    },
    exitCodeOf,
  );
  return { policy: bytes && decodePolicy(bytes, file), isWarm };
}

function policyAt(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? join(path, basename(OUTPUT_FILES.policy))
    : path;
}

/** A run that was stopped before its first checkpoint has no policy: `--resume` then begins at the beginning. */
function readPolicy(file: string, isNeeded: boolean): Uint8Array | undefined {
  if (!existsSync(file)) {
    if (!isNeeded) return undefined;
    throw new SddpError(
      "InvalidPolicy",
      `${file} is not there; train first, or, for a warm start, set policy.path in config.json to a policy that exists`,
    );
  }
  const bytes = readFileSync(file);
  decodePolicy(bytes, file); // what is damaged is told by rank 0 alone
  return bytes;
}

async function runTraining<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  context: RunContext,
  start: Start,
  log: RunLog | undefined,
  onEvent: EventListener,
): Promise<TrainingResult> {
  const { source, solver, output } = context;
  const failureDirectory = output.file("failures");
  const timings: TimingRow[] = [];
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    const result = await train(comm, source, {
      solver,
      failureDirectory,
      ...(start.isWarm ? { warmStart: start.policy } : { resume: start.policy }),
      isInterrupted: () => isInterrupted,
      checkpoint: {
        every: source.config.policy.checkpointInterval,
        write: (policy) => writePolicy(context, policy),
      },
      onEvent: (event: SddpEvent) => {
        onEvent(event);
        if (event.type !== "iteration_done" || comm.rank !== 0) return;
        const { record, waitingMs, movingMs, simplexIterations } = event;
        timings.push({ iteration: record.iteration, waitingMs, movingMs, simplexIterations });
      },
    });
    if (comm.rank !== 0) return result;
    writePolicy(context, result.policy);
    writeTraining(context, result, timings);
    if (result.termination !== "interrupted") {
      output.mark(OUTPUT_FILES.trainingSuccess);
      tellTraining(log, result);
    }
    return result;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

function tellTraining(log: RunLog | undefined, result: TrainingResult): void {
  const { termination, lowerBound, elapsedMs, policy } = result;
  const last = policy.history.at(-1);
  log?.line();
  log?.line(
    `status         ${termination} after ${policy.iteration} iterations, ${duration(elapsedMs)}`,
  );
  log?.line(`lower bound    ${amount(lowerBound)}`);
  if (last === undefined) return;
  const { forwardPasses, upperBoundMean, upperBoundStd } = last;
  const half = (1.96 * upperBoundStd) / Math.sqrt(forwardPasses);
  log?.line(
    forwardPasses === 1
      ? `forward path   ${amount(upperBoundMean)} (one path: no bound)`
      : `forward paths  ${amount(upperBoundMean)} ± ${amount(half)} (mean of ${forwardPasses})`,
  );
}

function tellSimulation(log: RunLog | undefined, { statistics }: SimulationResult): void {
  const { mean, ci95, count } = statistics;
  const half = ci95 === undefined ? "" : ` ± ${amount(ci95)} (95 %)`;
  log?.line(`simulation     ${amount(mean)}${half}, ${count} scenarios`);
}
