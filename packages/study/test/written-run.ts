/** Output directories that no run wrote: as small as can be, and each of their numbers is known. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  BUSES,
  CONVERGENCE,
  COSTS,
  type NumberColumn,
  OutputDirectory,
  ScenarioWriter,
  tableOf,
  writeTable,
} from "@cobre/io";
import { CutPool, encodePolicy, type IterationRecord, type Policy, TrialPoints } from "@cobre/sddp";

const MADE = {
  case: { name: "small", fingerprint: "f00" },
  cobre_version: "0.1.0",
  hostname: "here",
  solver: "highs",
  solver_version: "1.15",
  started_at: "2026-01-02T03:04:05.000Z",
  completed_at: "2026-01-02T03:05:05.000Z",
  duration_seconds: 60,
  distribution: { backend: "shm", world_size: 3, num_nodes: 1 },
};

export const TRAINING_METADATA = {
  ...MADE,
  status: "completed",
  convergence: {
    termination_reason: "iteration_limit",
    lower_bound: 10.5,
    lower_bound_caveats: ["foreign_cuts"],
    upper_bound: { mean: 11, std: 0.5, ci95: null, paths: 1 },
    final_gap_percent: 4.5,
  },
  iterations: { completed: 2 },
  configuration: { seed: 7, forward_passes: 1, max_iterations: 2 },
  row_pool: { total_active: 3 },
  hashes: { cuts: "abc", bounds: "def" },
};

export const SIMULATION_METADATA = {
  ...MADE,
  distribution: { backend: "tcp", world_size: 2, num_nodes: 2 },
  solver: "clp",
  mean: 12.5,
  std: 1.5,
  ci95: 0.25,
  scenarios: 2,
  hash: "123",
};

/** Writes a file below a directory that need not exist. */
export function put(directory: string, name: string, content: string | Uint8Array | object): void {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  const isRaw = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(path, isRaw ? content : JSON.stringify(content));
}

export function convergenceRow(iteration: number) {
  return {
    iteration,
    lower_bound: iteration / 4,
    upper_bound_mean: 11,
    upper_bound_std: 0.5,
    gap_percent: null as number | null,
    cuts_added: 2,
    cuts_removed: 0,
    cuts_active: 2 * iteration,
    time_forward_ms: 5,
    time_backward_ms: 6,
    time_total_ms: 12,
    forward_passes: 1,
    lp_solves: 8,
  };
}

/** Writes `training/`, with its policy unless there is none. */
export function putTraining(
  directory: string,
  rows = [convergenceRow(1), convergenceRow(2)],
  policy: Policy | undefined = smallPolicy(),
): void {
  put(directory, "training/metadata.json", TRAINING_METADATA);
  put(directory, "training/_SUCCESS", "");
  writeTable(join(directory, "training/convergence.parquet"), tableOf(CONVERGENCE, rows));
  if (policy !== undefined) put(directory, "policy/policy.bin", encodePolicy(policy));
}

const busRow = Object.fromEntries(Object.keys(BUSES).map((name) => [name, 1]));

const busRows = (change: object) =>
  tableOf(BUSES, [busRow, { ...busRow, ...change }] as never) as NumberColumn[];

/** Writes a table of a scenario, with two rows, as a Hive partition. */
export function putScenario(directory: string, scenario: number, change: object = {}): void {
  new OutputDirectory(directory).writeScenario(scenario, { buses: busRows(change) });
}

/** Writes the costs of scenarios from 0, with a row each. */
export function putCosts(directory: string, scenarios: number): void {
  const row = Object.fromEntries(Object.keys(COSTS).map((name) => [name, 1]));
  using writer = new ScenarioWriter(new OutputDirectory(directory), scenarios);
  for (let scenario = 0; scenario < scenarios; scenario++) {
    writer.writeScenario(scenario, { costs: tableOf(COSTS, [row as never]) as NumberColumn[] });
  }
  writer.finish();
}

/** Writes the same tables of scenarios that follow each other to a file. */
export function putScenarios(directory: string, first: number, changes: readonly object[]): void {
  using writer = new ScenarioWriter(new OutputDirectory(directory), first + changes.length);
  changes.forEach((change, i) => {
    writer.writeScenario(first + i, { buses: busRows(change) });
  });
  writer.finish();
}

function record(iteration: number): IterationRecord {
  return {
    iteration,
    lowerBound: iteration / 4,
    upperBoundMean: 11,
    upperBoundStd: 0.5,
    forwardPasses: 1,
    cutsAdded: 1,
    cutsActive: iteration,
    lpSolves: 8,
    forwardMs: 5,
    backwardMs: 6,
    totalMs: 12,
  };
}

/** A policy of two stages, of which the first has two cuts, over two reservoirs. */
export function smallPolicy(): Policy {
  const first = new CutPool(2);
  first.add(1, 0, 100, Float64Array.of(-1, -2));
  first.add(2, 0, 200, Float64Array.of(-3, -4));
  const sizes = { columns: Int32Array.of(3, 3), rows: Int32Array.of(2, 1) };
  const points = new TrialPoints(1, 2, sizes);
  points.values.set([9, 1, 2, 3, 4]);
  return {
    origin: {
      hydroIds: [5, 6],
      lags: 0,
      stageIds: [30, 31],
      caseFingerprint: "f00",
      solverFingerprint: "highs",
      forwardPasses: 1,
      seed: 7,
    },
    iteration: 2,
    pools: [first, new CutPool(2)],
    points,
    history: [record(1), record(2)],
    initialBound: 0,
    boundCaveats: [],
    rulesHolding: [],
    ruleStates: [{ rule: undefined, values: Float64Array.of(1, 2) }],
  };
}
