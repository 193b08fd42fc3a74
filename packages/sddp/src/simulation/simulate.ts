import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import type { GraphPath } from "@cobre/core";
import { type LpSolver, loadSolver } from "@cobre/solver";
import { Deal } from "../distribution/deal.js";
import { Exchange } from "../distribution/exchange.js";
import { SddpError } from "../errors.js";
import type { EventListener } from "../events.js";
import type { MultistageModel } from "../multistage-model.js";
import { openModel, type Trainable } from "../open-model.js";
import { checkStates, nodesWithOtherBases } from "../policy/compatibility.js";
import type { Policy } from "../policy/policy.js";
import type { ScenarioTables } from "../results/scenario-record.js";
import { withRoomFor } from "../solver-room.js";
import { type CostStatistics, censusStatistics, costStatistics } from "../training/statistics.js";
import { Workspace } from "../training/workspace.js";
import { runScenario } from "./scenario.js";

/** How to simulate. All ranks give the same options, except callbacks. */
export interface SimulateOptions {
  /** Default: HiGHS. */
  readonly solver?: LpSolver | undefined;
  /** Number of scenarios that are drawn. Default: as the case says, which may ask for every path of a tree instead. */
  readonly scenarios?: number | undefined;
  /** Called with a scenario's results, on the rank that ran it. */
  readonly onScenario?: ((scenario: number, tables: ScenarioTables) => void) | undefined;
  readonly onEvent?: EventListener | undefined;
  /**
   * Called on each rank before each scenario, when pending signal handlers have run. If it returns true, the rank runs no more scenarios.
   * After that of one rank, the simulation fails on all with kind `"Interrupted"`.
   */
  readonly isInterrupted?: (() => boolean) | undefined;
  readonly failureDirectory?: string | undefined;
}

/** The result of a simulation; the same on every rank. */
export interface SimulationResult {
  /** The discounted cost of each scenario, in $; of a model that maximises, the negative of its reward. */
  readonly costs: Float64Array;
  /** The part of each cost that is due in the stages, without the value of what follows the last one. */
  readonly costsOfStages: Float64Array;
  /** If the scenarios are all paths of a tree: how likely each one is. The mean is then the cost of the policy, and no estimate. */
  readonly probabilities?: Float64Array | undefined;
  readonly statistics: CostStatistics;
  /** The mean cost; of a model that maximises, the mean reward. */
  readonly objective: number;
  /** Hash of every value of every table, in the order of the scenarios. */
  readonly hash: string;
}

const DIGEST_BYTES = 32;

/**
 * Collective: simulates a policy of a case or of a model that {@link defineModel} made. Each rank runs a block of the scenarios and keeps their tables. Only costs and hashes are exchanged,
 * after the last scenario.
 *
 * @throws {@link SddpError} of kind `"Interrupted"`, on every rank, if `isInterrupted` returned true on one
 *
 * @example
 * ```ts
 * const { statistics } = await simulate(comm, source, policy, {
 *   onScenario: (scenario, tables) => writeScenario(directory, scenario, tables),
 * });
 * ```
 */
export async function simulate<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  source: Trainable,
  policy: Policy,
  options: SimulateOptions = {},
): Promise<SimulationResult> {
  const began = performance.now();
  const solver = options.solver ?? (await loadSolver("highs"));
  using model = openModel(comm, source);
  checkStates(policy, model.states);
  const exchange = new Exchange(comm);
  const directory = options.failureDirectory ?? ".";
  const roomy = await withRoomFor(solver, model);
  using workspace = new Workspace(model, roomy, exchange, directory, policy.pools);
  const census = options.scenarios === undefined ? censusOf(model) : undefined;
  const scenarios = census?.length ?? options.scenarios ?? model.config.simulation.scenarios;
  const deal = new Deal(scenarios, comm.size, comm.rank);
  const costs = new Float64Array(scenarios);
  const behind = new Float64Array(scenarios);
  const digests = new Uint8Array(scenarios * DIGEST_BYTES);
  const started = { type: "simulation_started", scenarios } as const;
  options.onEvent?.(census === undefined ? started : { ...started, isExact: true });
  const replaced = nodesWithOtherBases(policy, workspace.problems);
  if (replaced.length > 0) {
    const stages = new Set(replaced.map((node) => workspace.problems[node].stage));
    const stageIds = Array.from(stages, (stage) => model.study.time.stages[stage].id);
    options.onEvent?.({ type: "bases_replaced", stageIds });
  }
  const isReplaced = new Set(replaced);
  const { problems, sampler } = workspace;
  const walks = census === undefined ? workspace.walks : along(census);
  const walked = { model, problems, sampler, walks, isCensus: census !== undefined };
  const { cumulativeDiscount } = model.study.time;
  const newRecord = model.recorder();
  let isInterrupted = false;
  for (let scenario = deal.first; scenario < deal.end; scenario++) {
    await nextTurn(); // lets signal handlers run between scenarios
    isInterrupted = options.isInterrupted?.() ?? false;
    if (isInterrupted) break;
    const record = newRecord();
    runScenario(
      walked,
      policy.points,
      scenario,
      policy.iteration,
      (problem, incoming) => {
        record.add(problem, incoming);
        behind[scenario] += cumulativeDiscount[problem.stage] * problem.costBehind();
      },
      isReplaced,
    );
    costs[scenario] = record.totalCost;
    const tables = record.tables();
    digests.set(digestOf(tables), scenario * DIGEST_BYTES);
    options.onScenario?.(scenario, tables);
    const done = scenario + 1 - deal.first;
    const cost = costs[scenario];
    options.onEvent?.({ type: "scenario_done", done, of: deal.end - deal.first, cost });
  }
  const [isAnyInterrupted] = exchange.max(Int32Array.of(isInterrupted ? 1 : 0));
  if (isAnyInterrupted) throw new SddpError("Interrupted", "the simulation was interrupted");
  exchange.gather(costs, deal, (scenario) => scenario);
  if (hasValueBehind(model, policy)) exchange.gather(behind, deal, (scenario) => scenario);
  exchange.gather(digests, deal, (scenario) => scenario * DIGEST_BYTES);
  const ms = performance.now() - began;
  options.onEvent?.({ type: "simulation_done", scenarios, ms, solves: workspace.takeSolves() });
  const hash = createHash("sha256").update(digests).digest("hex");
  const probabilities = census && Float64Array.from(census, ({ probability }) => probability);
  const statistics = probabilities ? censusStatistics(costs, probabilities) : costStatistics(costs);
  return {
    costs,
    costsOfStages: costs.map((cost, scenario) => cost - behind[scenario]),
    ...(probabilities && { probabilities }),
    statistics,
    objective: model.sign * statistics.mean,
    hash,
  };
}

/** Whether something has a cost after the last stage, as far as the policy knows. */
function hasValueBehind({ graph }: MultistageModel, { pools }: Policy): boolean {
  return graph.isCyclic || graph.nodesOf(graph.stages - 1).some((node) => pools[node].count > 0);
}

/** All paths, if the case asks for them. */
function censusOf({ config, graph }: MultistageModel): readonly GraphPath[] | undefined {
  return config.simulation.isEnumerated ? graph.paths() : undefined;
}

/** One scenario along each path. */
function along(paths: readonly GraphPath[]): { simulated(scenario: number): Int32Array } {
  return { simulated: (scenario) => paths[scenario].nodes };
}

function digestOf(tables: ScenarioTables): Uint8Array {
  const hash = createHash("sha256");
  for (const [table, columns] of Object.entries(tables)) {
    for (const { name, data } of columns) {
      hash.update(`${table} ${name} ${data.length}`);
      hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    }
  }
  return hash.digest();
}
