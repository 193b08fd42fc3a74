import { createHash } from "node:crypto";
import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { type LpSolver, loadSolver } from "@cobre/solver";
import { Deal } from "../distribution/deal.js";
import { Exchange } from "../distribution/exchange.js";
import type { EventListener } from "../events.js";
import { shareModel } from "../model.js";
import { checkStates } from "../policy/compatibility.js";
import { statesOf } from "../policy/fingerprint.js";
import type { Policy } from "../policy/policy.js";
import { type CostStatistics, costStatistics } from "../training/statistics.js";
import { Workspace } from "../training/workspace.js";
import { ScenarioRecord, type ScenarioTables } from "./record.js";
import { runScenario } from "./scenario.js";

/** How to simulate. All ranks give the same, but for listeners. */
export interface SimulateOptions {
  /** HiGHS if not said. */
  readonly solver?: LpSolver | undefined;
  /** How many scenarios; as the case says if not said. */
  readonly scenarios?: number | undefined;
  /** Called on the rank that ran the scenario, with what it found. */
  readonly onScenario?: ((scenario: number, tables: ScenarioTables) => void) | undefined;
  readonly onEvent?: EventListener | undefined;
  readonly failureDirectory?: string | undefined;
}

/** What a simulation found; the same on every rank. */
export interface SimulationResult {
  /** The discounted cost of each scenario, in $. */
  readonly costs: Float64Array;
  readonly statistics: CostStatistics;
  /** Of every value of every table, in the order of the scenarios. */
  readonly hash: string;
}

const DIGEST_BYTES = 32;

/**
 * Collective: simulates a policy. Scenarios are dealt to the ranks; their results stay where they are made, only costs and hashes
 * are exchanged.
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
  source: Case,
  policy: Policy,
  options: SimulateOptions = {},
): Promise<SimulationResult> {
  const began = performance.now();
  const solver = options.solver ?? (await loadSolver("highs"));
  using model = shareModel(comm, source);
  checkStates(policy, statesOf(model));
  const exchange = new Exchange(comm);
  const directory = options.failureDirectory ?? ".";
  using workspace = new Workspace(model, solver, exchange, directory, policy.pools);
  const scenarios = options.scenarios ?? model.config.simulation.scenarios;
  const deal = new Deal(scenarios, comm.size, comm.rank);
  const costs = new Float64Array(scenarios);
  const digests = new Uint8Array(scenarios * DIGEST_BYTES);
  options.onEvent?.({ type: "simulation_started", scenarios });
  for (let scenario = deal.first; scenario < deal.end; scenario++) {
    const record = new ScenarioRecord(model);
    runScenario(workspace, policy.points, scenario, policy.iteration, (problem, incoming) =>
      record.add(problem, incoming),
    );
    costs[scenario] = record.totalCost;
    const tables = record.tables();
    digests.set(digestOf(tables), scenario * DIGEST_BYTES);
    options.onScenario?.(scenario, tables);
    const done = scenario + 1 - deal.first;
    options.onEvent?.({ type: "scenario_done", done, of: deal.end - deal.first });
  }
  exchange.gather(costs, deal, (scenario) => scenario);
  exchange.gather(digests, deal, (scenario) => scenario * DIGEST_BYTES);
  const ms = performance.now() - began;
  options.onEvent?.({ type: "simulation_done", scenarios, ms, solves: workspace.takeSolves() });
  const hash = createHash("sha256").update(digests).digest("hex");
  return { costs, statistics: costStatistics(costs), hash };
}

function digestOf(tables: ScenarioTables): Uint8Array {
  const hash = createHash("sha256");
  for (const [table, columns] of Object.entries(tables)) {
    for (const { name, data } of columns) {
      hash.update(`${table} ${name} ${data.length}`);
      const values = Float64Array.from(data, (value) => value ?? Number.NaN);
      hash.update(new Uint8Array(values.buffer));
    }
  }
  return hash.digest();
}
