import { SddpError } from "../errors.js";
import type { StageProblem } from "../stage/stage-problem.js";
import type { Policy, PolicyOrigin, PolicyStates } from "./policy.js";
import { describeOthers } from "./state-components.js";

/**
 * Throws unless training can continue from a policy as if it had never stopped.
 *
 * @param allowsOtherSolver whether it may continue with another solver, which gives other bits
 */
export function checkResumable(
  { origin }: Policy,
  here: PolicyOrigin,
  allowsOtherSolver = false,
): void {
  if (origin.forwardPasses !== here.forwardPasses) {
    throw refuse(
      `it was trained with ${origin.forwardPasses} forward ${origin.forwardPasses === 1 ? "pass" : "passes"}, but the case asks for ${here.forwardPasses}; set training.forward_passes to ${origin.forwardPasses}, or start a new training`,
    );
  }
  if (origin.caseFingerprint !== here.caseFingerprint) {
    throw refuse(
      "it was trained on other data (system, stages, seeds, openings or cut selection); undo the change (a policy from before cuts were selected needs training.cut_selection.enabled false), or start anew with its cuts (policy.mode warm_start), which gives a lower bound only if the later stages have not changed",
    );
  }
  if (origin.solverFingerprint !== here.solverFingerprint && !allowsOtherSolver) {
    throw refuse(
      `it was trained with ${origin.solverFingerprint}, but this run uses ${here.solverFingerprint}, so the bits would differ; use the same solver, allow another one (--allow-other-solver, allowsOtherSolver), or use a warm start (policy.mode warm_start)`,
    );
  }
}

/** The origin of a policy that continues another one: it names the solvers of all parts. */
export function continuedOrigin(here: PolicyOrigin, resumed: PolicyOrigin): PolicyOrigin {
  const { solverFingerprint, earlierSolvers = [] } = resumed;
  const hasChanged = solverFingerprint !== here.solverFingerprint;
  const earlier = hasChanged ? [...earlierSolvers, solverFingerprint] : earlierSolvers;
  return earlier.length === 0 ? here : { ...here, earlierSolvers: earlier };
}

/** Throws unless a policy has the states and stages of this case. */
export function checkStates({ origin }: Policy, here: PolicyStates): void {
  const differences = [
    ["hydros", origin.hydroIds.join(", "), here.hydroIds.join(", ")],
    ["lags of inflow", String(origin.lags), String(here.lags)],
    ["states", origin.stateNames?.join(", "), here.stateNames?.join(", ")],
    ["other states", describeOthers(origin.components), describeOthers(here.components)],
    ["stages", String(origin.stageIds.length), String(here.stageIds.length)],
    ["nodes", listOfNodes(origin), listOfNodes(here)],
    ["horizon", horizonOf(origin), horizonOf(here)],
  ].filter(([, there, now]) => there !== now);
  if (differences.length === 0) return;
  const list = differences.map(
    ([what, there, now]) => `${what} ${there ?? "none"} instead of ${now ?? "none"}`,
  );
  throw refuse(`it is the policy of another case: ${list.join("; ")}; use a policy of this case`);
}

function listOfNodes({ nodes }: PolicyStates): string {
  return nodes?.map(({ id, stage }) => `${id} (stage ${stage})`).join(", ") ?? "one for each stage";
}

function horizonOf({ isCyclic = false }: PolicyStates): string {
  return isCyclic ? "cyclic" : "finite";
}

/** Throws unless the bases of a policy belong to these programs. */
export function checkBases(policy: Policy, problems: readonly StageProblem[]): void {
  const others = nodesWithOtherBases(policy, problems);
  if (others.length === 0) return;
  const ids = others.map((node) => policy.origin.stageIds[problems[node].stage]);
  throw refuse(`its bases do not fit the programs of stages ${ids.join(", ")}; train again`);
}

/**
 * The nodes, counted from 0, whose programs have not the size for which a policy has bases. A basis was recorded in the forward pass of the last
 * iteration, so it has rows for the cuts of the iterations before.
 */
export function nodesWithOtherBases(
  { iteration, pools, points }: Policy,
  problems: readonly StageProblem[],
): number[] {
  const { columns, rows } = points.sizes;
  const nodes = problems.map((_, node) => node);
  return nodes.filter((node) => {
    const { cost, rows: structural } = problems[node].lp.data;
    const pool = pools[node];
    let cuts = 0;
    for (let slot = 0; slot < pool.count; slot++) {
      if (pool.iteration(slot) < Math.max(1, iteration)) cuts++;
    }
    return columns[node] !== cost.length || rows[node] !== structural.lower.length + cuts;
  });
}

/** The error for a policy that does not fit. */
export function refuse(reason: string): SddpError {
  return new SddpError("IncompatiblePolicy", `the policy cannot be used: ${reason}`);
}
