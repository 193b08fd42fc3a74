import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import type { OutputDirectory } from "@cobre/io";
import { encodePolicy, type IterationRecord, type TrainingResult, train } from "@cobre/sddp";
import type { ForwardMean, StudyEvent, StudyListener } from "../events.js";
import { type OnFailure, onFirstRank } from "./agreement.js";
import { CollectiveCounts } from "./collectives.js";
import { Measurements } from "./measurements.js";
import type { RunContext } from "./metadata.js";
import type { Start } from "./starting-policy.js";
import { VisitedStates } from "./visited-states.js";
import { writeTraining } from "./write-training.js";

/** Collective: trains a policy; rank 0 writes it and the results. */
export async function runTraining<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  output: OutputDirectory,
  context: RunContext,
  start: Start,
  isCancelled: () => boolean,
  tell: StudyListener,
  onFailure: OnFailure,
): Promise<TrainingResult> {
  const { source, solver, splitsWaiting } = context;
  const { training, policy, exports } = source.config;
  const startedAt = new Date();
  const counts = new CollectiveCounts(comm);
  const measurements = new Measurements(comm.rank, splitsWaiting);
  const states = exports.states && comm.rank === 0 ? new VisitedStates() : undefined;
  /** Why a checkpoint could not be written. All ranks stop after the iteration; then rank 0 reports it. */
  let failure: unknown;
  const result = await train(comm, source, {
    solver,
    allowsOtherSolver: context.allowsOtherSolver,
    splitsWaiting,
    plugins: context.plugins,
    failureDirectory: output.file("failures"),
    boundary: start.boundary,
    ...(start.isWarm ? { warmStart: start.policy } : { resume: start.policy }),
    hold: context.hold,
    isInterrupted: () => failure !== undefined || isCancelled(),
    checkpoint: {
      every: policy.checkpointInterval,
      write: (current) => {
        if (failure !== undefined) return;
        try {
          output.writePolicy(encodePolicy(current));
        } catch (error) {
          failure = error;
        }
      },
    },
    onTrialPoints: (iteration, points) => states?.add(iteration, points),
    onEvent: (event) => {
      measurements.onEvent(event);
      tell(event);
    },
  });
  const stages = source.study.time.stages.length;
  /** Whatever fails after training, its policy is not lost. */
  const keepingPolicy = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      const path = comm.rank === 0 ? output.keepPolicy(encodePolicy(result.policy)) : undefined;
      if (path !== undefined) tell({ type: "policy_kept", path });
      throw error;
    }
  };
  const collectives = keepingPolicy(() => counts.share());
  const measured = keepingPolicy(() => measurements.share(comm, stages, training.retryMaxAttempts));
  const write = () => {
    if (failure !== undefined) throw failure;
    const { ranges, selections } = measurements;
    writeTraining(output, context, {
      result,
      startedAt,
      measured,
      collectives,
      ranges,
      selections,
      states,
    });
    return undefined;
  };
  onFirstRank(comm, () => keepingPolicy(write), onFailure);
  if (comm.rank === 0) tell(resultEvent(result));
  return result;
}

function resultEvent({ termination, lowerBound, elapsedMs, policy }: TrainingResult): StudyEvent {
  const last = policy.history.at(-1);
  return {
    type: "training_result",
    termination,
    iterations: policy.iteration,
    lowerBound,
    boundCaveats: policy.boundCaveats,
    forward: last === undefined ? null : forwardMeanOf(last),
    elapsedMs,
  };
}

/** The mean cost of the forward passes of an iteration. A single one gives no confidence interval, and all paths need none. */
export function forwardMeanOf(record: IterationRecord): ForwardMean {
  const { upperBoundMean: mean, upperBoundStd: std, forwardPasses: passes } = record;
  if (record.isExact) return { mean, std, ci95: null, passes, isExact: true };
  return { mean, std, ci95: passes > 1 ? (1.96 * std) / Math.sqrt(passes) : null, passes };
}
