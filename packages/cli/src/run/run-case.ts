import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import { type Case, OUTPUT_FILES, OutputDirectory } from "@cobre/io";
import {
  type Boundary,
  decodePolicy,
  type EventListener,
  encodePolicy,
  type Policy,
  SddpError,
  type SimulationResult,
  type TrainingResult,
  train,
} from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import { EXIT } from "../exit-codes.js";
import { onFirstRank, type Report } from "./agreement.js";
import type { RunEvent } from "./event-file.js";
import { amount, describeRun, duration, iterationLimit, type LogStream, RunLog } from "./log.js";
import { Measurements } from "./measurements.js";
import { countNodes, type RunContext } from "./metadata.js";
import { runSimulation } from "./run-simulation.js";
import { VisitedStates } from "./visited-states.js";
import { writeTraining } from "./write-training.js";

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
  /** Tells whoever listens why a rank fails. */
  readonly report: Report;
}

/** Collective: trains, simulates, and writes the results. Returns the exit code. */
export async function runCase<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  request: RunRequest,
): Promise<number> {
  const { source, solver, tell, report } = request;
  const { config } = source;
  const output = new OutputDirectory(request.output);
  const context: RunContext = {
    source,
    solver,
    ranks: comm.size,
    backend: comm.backend,
    nodes: countNodes(comm),
    version: request.version,
  };
  const isFirst = comm.rank === 0;
  const start = readStart(comm, output, request);
  const log = isFirst ? new RunLog(request.stream, source) : undefined;
  if (log !== undefined) {
    const name = `${solver.name} ${solver.version}`;
    for (const line of describeRun(source, { ...context, solver: name })) log.line(line);
    log.line();
  }
  const onEvent: EventListener = (event) => {
    log?.onEvent(event);
    tell?.(event);
  };
  tell?.({
    type: "run_started",
    iterationLimit: config.training.isEnabled ? iterationLimit(config) : null,
    scenarios: config.simulation.isEnabled ? config.simulation.scenarios : null,
  });
  const training = config.training.isEnabled
    ? await runTraining(comm, output, context, start, log, onEvent, report)
    : undefined;
  if (training?.termination === "interrupted") {
    log?.line(`interrupted after iteration ${training.policy.iteration}; --resume goes on`);
    return EXIT.interrupted;
  }
  const policy = training?.policy ?? start.policy;
  if (!config.simulation.isEnabled || policy === undefined) return EXIT.done;
  const result = await runSimulation(comm, output, context, policy, onEvent, report);
  tellSimulation(log, result);
  if (isFirst) tell?.(simulationEvent(result));
  return EXIT.done;
}

function simulationEvent({ statistics, costs, hash }: SimulationResult): RunEvent {
  const { mean, std, ci95 = null } = statistics;
  return { type: "simulation_result", mean, std, ci95, costs: [...costs], hash };
}

interface Start {
  readonly policy: Policy | undefined;
  readonly boundary: Boundary | undefined;
  readonly isWarm: boolean;
}

/** Makes the output directory ready and reads the policy to begin with: rank 0 does, for all. */
function readStart(
  comm: Communicator,
  output: OutputDirectory,
  { source, resume, overwrite, report }: RunRequest,
): Start {
  const { config } = source;
  const { isEnabled } = config.training;
  const goesOn = resume || config.policy.mode === "resume" || !isEnabled;
  const isWarm = !goesOn && config.policy.mode === "warm_start";
  const file = isWarm
    ? policyAt(resolve(source.directory, config.policy.path))
    : output.file(OUTPUT_FILES.policy);
  const boundary = isEnabled ? readBoundary(comm, source, report) : undefined;
  const bytes = onFirstRank(
    comm,
    () => {
      // Read first: a policy that is not there must leave the directory as it was.
      const content = goesOn || isWarm ? readPolicy(file, isWarm || !isEnabled) : undefined;
      const existing = goesOn ? "resume" : overwrite ? "overwrite" : "refuse";
      output.prepare(existing);
      return content;
    },
    report,
  );
  return { policy: bytes && decodePolicy(bytes, file), boundary, isWarm };
}

/** What another policy says of the time behind the last stage: rank 0 reads it, for all. */
function readBoundary(
  comm: Communicator,
  { config, directory }: Case,
  report: Report,
): Boundary | undefined {
  const { boundary } = config.policy;
  if (boundary === undefined) return undefined;
  const file = policyAt(resolve(directory, boundary.path));
  const bytes = onFirstRank(comm, () => readPolicy(file, true), report);
  return bytes && { policy: decodePolicy(bytes, file), sourceStage: boundary.sourceStage };
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
      `${file} is not there; train first, or set policy.path (of a warm start) or policy.boundary.path in config.json to a policy that exists`,
    );
  }
  const bytes = readFileSync(file);
  decodePolicy(bytes, file); // what is damaged is told by rank 0 alone
  return bytes;
}

async function runTraining<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  output: OutputDirectory,
  context: RunContext,
  start: Start,
  log: RunLog | undefined,
  onEvent: EventListener,
  report: Report,
): Promise<TrainingResult> {
  const { source, solver } = context;
  const { training, policy, exports } = source.config;
  const startedAt = new Date();
  const measurements = new Measurements(comm.rank);
  const states = exports.states && comm.rank === 0 ? new VisitedStates() : undefined;
  let isInterrupted = false;
  /** Why a checkpoint could not be written: all ranks stop after the iteration, then rank 0 tells. */
  let failure: unknown;
  const interrupt = () => {
    isInterrupted = true;
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    const result = await train(comm, source, {
      solver,
      failureDirectory: output.file("failures"),
      boundary: start.boundary,
      ...(start.isWarm ? { warmStart: start.policy } : { resume: start.policy }),
      isInterrupted: () => isInterrupted,
      checkpoint: {
        every: policy.checkpointInterval,
        write: (current) => {
          if (failure !== undefined) return;
          try {
            output.writePolicy(encodePolicy(current));
          } catch (error) {
            failure = error;
            isInterrupted = true;
          }
        },
      },
      onTrialPoints: (iteration, points) => states?.add(iteration, points),
      onEvent: (event) => {
        measurements.onEvent(event);
        onEvent(event);
      },
    });
    const stages = source.study.time.stages.length;
    const measured = measurements.share(comm, stages, training.retryMaxAttempts);
    onFirstRank(
      comm,
      () => {
        if (failure !== undefined) throw failure;
        const { ranges } = measurements;
        writeTraining(output, context, { result, startedAt, measured, ranges, states });
        return undefined;
      },
      report,
    );
    if (result.termination !== "interrupted") tellTraining(log, result);
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
