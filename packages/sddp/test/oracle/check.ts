/** Holds training and simulation of a small system against the program of its whole tree. */
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { loadCase, type Policy, train } from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import { boundaryOf } from "./boundary-policy.js";
import { canReachOptimum } from "./exactness.js";
import { optimumOf } from "./extensive-form.js";
import { discountOf } from "./path-links.js";
import { withSampledNoise } from "./sampled-noise.js";
import type { SmallStage, SmallSystem } from "./system.js";
import { type WalkedPath, walkPaths } from "./walk-paths.js";
import { writeCase } from "./write-case.js";

const TOLERANCE = 1e-7;
/** Training goes on until the bound is this near: the rest of the tolerance is for the paths. */
const NEAR = 1e-8;
const ITERATIONS = 150;
/** How many iterations there are at least: a cut with a wrong slope is right where it was made, and wrong where the next path goes. */
const LEAST = 4;
/** How many iterations more there are while the policy is not yet optimal on every path. */
const MORE = 10;
/** How many iterations a training has that need not reach the optimum. */
const FEW = 12;

/** What was found. */
export interface Verdict {
  /** What is wrong, or nothing. */
  readonly failure: string | undefined;
  /** Whether training or simulation threw an error; then the numbers below are not there. */
  readonly hasThrown: boolean;
  /** The value of the program of the whole tree. */
  readonly expected: number;
  readonly lowerBound: number;
  /** What the policy costs over all paths. */
  readonly walked: number;
  readonly iterations: number;
  /** Whether the bound must reach the optimum. */
  readonly isExact: boolean;
  /** The columns of the table of costs, and of diverted and evaporated flows, in which there was something on the first path or the last one. */
  readonly costKinds: readonly string[];
}

/** Writes the case into `directory` and checks it, with this selection of cuts. Throws only if the system itself has no solution. */
export async function checkSystem(
  described: SmallSystem,
  directory: string,
  solver: LpSolver,
  cutSelection?: object,
): Promise<Verdict> {
  const tables = described.seed % 8 === 0 ? "parquet" : "csv";
  writeCase(described, directory, { tables, iterations: ITERATIONS, cutSelection });
  const source = await loadCase(directory);
  const system = withSampledNoise(described, source);
  const trial = new Trial(system, source, optimumOf(system, solver), solver);
  let failure: string | undefined;
  let hasThrown = false;
  try {
    failure = await trial.run();
  } catch (error) {
    hasThrown = true;
    failure = error instanceof Error ? error.message : String(error);
  }
  const { expected, lowerBound, walked, iterations, isExact, costKinds } = trial;
  return { failure, hasThrown, expected, lowerBound, walked, iterations, isExact, costKinds };
}

/** One system on trial. */
class Trial {
  readonly expected: number;
  readonly isExact: boolean;
  lowerBound = Number.NaN;
  walked = Number.NaN;
  costKinds: readonly string[] = [];
  private policy: Policy | undefined;
  private readonly system: SmallSystem;
  private readonly source: Case;
  private readonly solver: LpSolver;
  /** What counts as a difference, in $. */
  private readonly tolerance: number;
  private readonly near: number;

  constructor(system: SmallSystem, source: Case, expected: number, solver: LpSolver) {
    this.system = system;
    this.source = source;
    this.expected = expected;
    this.solver = solver;
    this.isExact = canReachOptimum(system);
    const size = Math.max(1, Math.abs(expected));
    this.tolerance = TOLERANCE * size;
    this.near = NEAR * size;
  }

  get iterations(): number {
    return this.policy?.iteration ?? 0;
  }

  /** Trains until the policy is optimal on every path. Returns what is wrong. */
  async run(): Promise<string | undefined> {
    const { expected, tolerance, isExact } = this;
    for (let atLeast = isExact ? LEAST : FEW; ; atLeast += MORE) {
      const policy = await this.train(atLeast);
      if (this.lowerBound > expected + tolerance) return "the bound is above the optimum";
      const paths = walkPaths(this.source, policy, this.solver, this.source.directory);
      this.walked = worthOfPaths(this.system, paths);
      if (!(this.walked > expected - tolerance)) return "all paths cost less than the optimum";
      this.costKinds = costKindsOf(paths);
      const mean = paths.reduce((sum, { cost }) => sum + cost, 0) / paths.length;
      const isNeutral = this.system.stages.every(({ risk }) => risk === null);
      if (isNeutral && !(Math.abs(mean - this.walked) <= tolerance)) {
        return `the mean over all paths is ${mean} by the results, but ${this.walked} by the costs of stages`;
      }
      if (!isExact) return undefined;
      const isReached = this.lowerBound > expected - tolerance;
      if (isReached && this.walked < expected + tolerance) return undefined;
      if (this.iterations < ITERATIONS) continue;
      return isReached
        ? "all paths cost more than the optimum"
        : "the bound stays below the optimum";
    }
  }

  /** Goes on training until the bound is near enough, or above the optimum. */
  private async train(atLeast: number): Promise<Policy> {
    using comm = new LocalCommunicator();
    let isDone = false;
    const { source, solver } = this;
    const { policy } = await train(comm, source, {
      solver,
      resume: this.policy,
      boundary: boundaryOf(source),
      failureDirectory: source.directory,
      onEvent: (event) => {
        if (event.type !== "iteration_done") return;
        const { iteration, lowerBound } = event.record;
        const isNear = !this.isExact || lowerBound > this.expected - this.near;
        this.lowerBound = lowerBound;
        isDone = lowerBound > this.expected + this.tolerance || (iteration >= atLeast && isNear);
      },
      isInterrupted: () => isDone,
    });
    this.policy = policy;
    return policy;
  }
}

function costKindsOf(paths: readonly WalkedPath[]): readonly string[] {
  const ends = [paths[0], paths[paths.length - 1]].map((path) => path.tables());
  const flows = ["diverted_outflow_m3s", "evaporation_m3s"];
  const diverted = ends.flatMap(({ hydros = [] }) =>
    hydros.filter(({ name }) => flows.includes(name)),
  );
  const used = ends.flatMap(({ non_controllables = [] }) =>
    non_controllables.filter(({ name }) => /^(available|curtailment)_mw$/.test(name)),
  );
  const pumped = ends.flatMap(({ pumping_stations = [] }) =>
    pumping_stations.filter(({ name }) => name === "pumped_flow_m3s"),
  );
  const travelling = ends.flatMap(({ in_transit = [] }) =>
    in_transit.filter(({ name }) => name === "volume_hm3"),
  );
  const columns = [
    ...travelling,
    ...pumped,
    ...ends.flatMap(({ costs }) => costs),
    ...diverted,
    ...used,
  ];
  const paid = columns.filter(({ data }) => data.some((cost) => Math.abs(Number(cost)) > 1e-6));
  return [...new Set(paid.map(({ name }) => name))];
}

/** What the walked policy is worth: the nested risk measure of the costs of its stages. */
function worthOfPaths(system: SmallSystem, paths: readonly WalkedPath[]): number {
  const behind = (stage: number, group: readonly WalkedPath[]): number => {
    if (stage === system.stages.length) return 0;
    const { openings } = system.stages[stage];
    const values = Array.from({ length: openings }, (_, opening) => {
      const next = group.filter((path) => path.openings[stage] === opening);
      const discount = discountOf(system, system.stages[stage]);
      return next[0].stageCosts[stage] + discount * behind(stage + 1, next);
    });
    return riskOfValues(system, system.stages[Math.max(0, stage - 1)], values);
  };
  return behind(0, paths);
}

/** (1 - λ) · mean + λ · CVaR_α: the mean of the share α of the highest values. */
function riskOfValues({ compat }: SmallSystem, { risk }: SmallStage, values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (risk === null) return mean;
  const lambda = compat ? 1 : risk.lambda;
  const alpha = compat ? 1 / (1 - risk.lambda + risk.lambda / risk.alpha) : risk.alpha;
  let left = alpha * values.length;
  let sum = 0;
  for (const value of [...values].sort((a, b) => b - a)) {
    sum += Math.min(1, left) * value;
    left = Math.max(0, left - 1);
  }
  return (1 - lambda) * mean + (lambda * sum) / alpha / values.length;
}
