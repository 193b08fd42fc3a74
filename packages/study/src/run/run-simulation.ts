import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import {
  COLLECTIVES,
  OUTPUT_FILES,
  type OutputDirectory,
  RETRY_HISTOGRAM,
  SCENARIO_SUMMARY,
  ScenarioWriter,
  SOLVER_ITERATIONS,
  type TableRow,
  tableOf,
  writeDictionaries,
} from "@cobre/io";
import {
  type EventListener,
  type Policy,
  SddpError,
  type SimulationResult,
  type StageSolves,
  simulate,
} from "@cobre/sddp";
import { agreeOnSuccess, type OnFailure, onFirstRank } from "./agreement.js";
import { CollectiveCounts } from "./collectives.js";
import { Measurements } from "./measurements.js";
import { type RunContext, simulationMetadata } from "./metadata.js";
import { retryRows, solverRows, sumSolves } from "./solve-sums.js";

/**
 * Collective: simulates a policy. Each rank writes the scenarios it ran. When all are written, they replace the previous
 * simulation. Returns `undefined`, and leaves the previous simulation, if it was interrupted.
 */
export async function runSimulation<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  output: OutputDirectory,
  context: RunContext,
  policy: Policy,
  isInterrupted: () => boolean,
  listener: EventListener,
  onFailure: OnFailure,
): Promise<SimulationResult | undefined> {
  const { source, solver } = context;
  const startedAt = new Date();
  const counts = new CollectiveCounts(comm);
  const { staged } = output;
  const measurements = new Measurements(comm.rank);
  let failure: unknown;
  /** A failure is reported after the simulation, when all ranks meet. */
  const trying = (action: () => void) => {
    if (failure !== undefined) return;
    try {
      action();
    } catch (error) {
      failure = error;
    }
  };
  const { exports, simulation: wanted } = source.config;
  using writer = new ScenarioWriter(staged, wanted.scenarios);
  const simulation = simulate(comm, source, policy, {
    solver,
    failureDirectory: output.file("failures"),
    isInterrupted,
    onEvent: (event) => {
      measurements.onEvent(event);
      listener(event);
    },
    onScenario: (scenario, tables) =>
      trying(() => (exports.hive ? staged : writer).writeScenario(scenario, tables)),
  });
  const result = await simulation.catch((error: unknown) => {
    if (error instanceof SddpError && error.kind === "Interrupted") return undefined;
    throw error;
  });
  if (result === undefined) {
    onFirstRank(comm, () => void output.discardStaged(), onFailure);
    return undefined;
  }
  trying(() => writer.finish());
  const collectives = counts.share();
  const stages = source.study.time.stages.length;
  const [solves = []] = sumSolves(
    comm,
    [measurements.simulationSolves],
    stages,
    source.config.training.retryMaxAttempts,
  );
  agreeOnSuccess(comm, failure, onFailure, () => output.discardStaged());
  onFirstRank(
    comm,
    () => {
      try {
        const metadata = simulationMetadata(context, result, startedAt);
        staged.writeTable(
          OUTPUT_FILES.scenarioSummary,
          tableOf(SCENARIO_SUMMARY, summaryRows(result)),
        );
        stageSummary(staged, policy, solves, collectives, metadata);
        if (!output.has("training")) {
          // The policy was trained elsewhere, and so its dictionaries are elsewhere.
          writeDictionaries(staged, source);
          output.publish("training");
        }
        output.publish("simulation");
      } finally {
        output.discardStaged();
      }
      return undefined;
    },
    onFailure,
  );
  return result;
}

/** A row for each scenario. */
function summaryRows({
  costs,
  costsOfStages,
  probabilities,
}: SimulationResult): TableRow<typeof SCENARIO_SUMMARY>[] {
  return Array.from(costs, (total_cost, scenario_id) => ({
    scenario_id,
    probability: probabilities?.[scenario_id] ?? null,
    discounted_immediate_cost: costsOfStages[scenario_id] ?? total_cost,
    total_cost,
  }));
}

/** Writes the files about the whole simulation, with the marker last. */
function stageSummary(
  staged: OutputDirectory,
  { iteration }: Policy,
  solves: readonly StageSolves[],
  collectives: readonly TableRow<typeof COLLECTIVES>[],
  metadata: object,
): void {
  staged.writeTable(OUTPUT_FILES.simulationCollectives, tableOf(COLLECTIVES, collectives));
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
