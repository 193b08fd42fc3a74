import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import {
  OUTPUT_FILES,
  type OutputDirectory,
  RETRY_HISTOGRAM,
  SOLVER_ITERATIONS,
  tableOf,
} from "@cobre/io";
import {
  type EventListener,
  type Policy,
  type SimulationResult,
  type StageSolves,
  simulate,
} from "@cobre/sddp";
import { agreeOnSuccess, onFirstRank, type Report } from "./agreement.js";
import { Measurements } from "./measurements.js";
import { type RunContext, simulationMetadata } from "./metadata.js";
import { retryRows, solverRows, sumSolves } from "./solve-sums.js";

/**
 * Collective: simulates a policy. Each rank writes the scenarios it ran; when all are there, they take the place of an earlier
 * simulation.
 */
export async function runSimulation<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  output: OutputDirectory,
  context: RunContext,
  policy: Policy,
  listener: EventListener,
  report: Report,
): Promise<SimulationResult> {
  const { source, solver } = context;
  const startedAt = new Date();
  const { staged } = output;
  const measurements = new Measurements(comm.rank);
  let failure: unknown;
  const result = await simulate(comm, source, policy, {
    solver,
    failureDirectory: output.file("failures"),
    onEvent: (event) => {
      measurements.onEvent(event);
      listener(event);
    },
    onScenario: (scenario, tables) => {
      if (failure !== undefined) return; // the others are waited for before anybody ends
      try {
        staged.writeScenario(scenario, tables);
      } catch (error) {
        failure = error;
      }
    },
  });
  const stages = source.study.time.stages.length;
  const [solves] = sumSolves(
    comm,
    [measurements.simulationSolves],
    stages,
    source.config.training.retryMaxAttempts,
  );
  agreeOnSuccess(comm, failure, report, () => output.discardStaged());
  onFirstRank(
    comm,
    () => {
      try {
        stageSummary(staged, policy, solves, simulationMetadata(context, result, startedAt));
        output.publish("simulation");
      } finally {
        output.discardStaged();
      }
      return undefined;
    },
    report,
  );
  return result;
}

/** Writes what is not of one scenario, and the marker last. */
function stageSummary(
  staged: OutputDirectory,
  { iteration }: Policy,
  solves: readonly StageSolves[],
  metadata: object,
): void {
  staged.writeTable(
    OUTPUT_FILES.simulationSolver,
    tableOf(SOLVER_ITERATIONS, solverRows(iteration, solves)),
  );
  staged.writeTable(
    OUTPUT_FILES.simulationRetries,
    tableOf(RETRY_HISTOGRAM, retryRows(iteration, solves)),
  );
  staged.writeJson(OUTPUT_FILES.simulationMetadata, metadata);
  staged.mark(OUTPUT_FILES.simulationSuccess);
}
