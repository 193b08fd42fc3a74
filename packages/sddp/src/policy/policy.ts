import type { NodeGraph } from "@cobre/core";
import type { StoppingRule } from "@cobre/io";
import type { CutPool } from "../cuts/cut-pool.js";
import type { IterationRecord } from "../training/records.js";
import type { TrialPoints } from "../training/trial-points.js";
import type { StateComponent } from "./state-components.js";

/** A node of a graph with several in a stage, as a policy names it. */
export interface PolicyNode {
  readonly id: number;
  readonly label?: string | undefined;
  /** The index of its stage. */
  readonly stage: number;
}

/** The components of a case's state, and its stages. */
export interface PolicyStates {
  readonly hydroIds: readonly number[];
  readonly lags: number;
  /** The components by name, of a model that a program defined. It has no hydros and no lags. */
  readonly stateNames?: readonly string[] | undefined;
  readonly stageIds: readonly number[];
  /** The components in order, by name. Missing in files of earlier versions. */
  readonly components?: readonly StateComponent[] | undefined;
  /**
   * For each stage the date at which its cuts price a state: the end of the stage, as the day after its last one (2025-02-01). Missing in files of
   * earlier versions.
   */
  readonly pricedAt?: readonly string[] | undefined;
  /** The nodes, of a graph that has several in a stage. Each has cuts of its own. */
  readonly nodes?: readonly PolicyNode[] | undefined;
  /** Whether the first stage follows the last one. */
  readonly isCyclic?: boolean | undefined;
}

/** What a policy was trained for. A run can only resume a policy with the same origin. */
export interface PolicyOrigin extends PolicyStates {
  /** Hash of everything in the case that affects training, except the stopping rules. */
  readonly caseFingerprint: string;
  /**
   * For each stage, a hash of everything that affects the cost of the later stages. Where two cases agree in it, a cut of one is a cut
   * of the other. Missing in files of earlier versions.
   */
  readonly futureFingerprints?: readonly string[] | undefined;
  /** Whether the lower bound is a bound on the expected cost. Missing in files of earlier versions. */
  readonly isRiskNeutral?: boolean | undefined;
  /** Identifies the solver and its version. */
  readonly solverFingerprint: string;
  /** The solvers of earlier parts of the training, first to last, if it was resumed with another one. */
  readonly earlierSolvers?: readonly string[] | undefined;
  readonly forwardPasses: number;
  /** Whether forward passes went along every path of a tree, so that their mean is the cost of the policy. */
  readonly isEnumerated?: boolean | undefined;
  readonly seed: number;
  /** For each stage or node, the lower bound of θ that holds beside its cuts, in thousands of $. */
  readonly floors?: readonly number[] | undefined;
}

/**
 * Why the lower bound may lie above the optimum. `foreign_cuts`: training started with cuts of stages whose later stages had other data, and such
 * cuts can lie above the cost.
 */
export type BoundCaveat = "foreign_cuts";

/** All caveats. A policy file may hold only these. */
export const BOUND_CAVEATS = ["foreign_cuts"] as const satisfies readonly BoundCaveat[];

/** What a stopping rule keeps from one run to the next: of a simulation, the mean cost of each stage in $. */
export interface RuleState {
  /** The rule; `undefined` in files of earlier versions, which had one simulation for all rules. */
  readonly rule: StoppingRule | undefined;
  readonly values: Float64Array;
}

/** A trained policy, with everything needed to continue training or to simulate it with the same bits. */
export interface Policy {
  readonly origin: PolicyOrigin;
  /** The last completed iteration. */
  readonly iteration: number;
  /**
   * The cuts of each stage; of each node, if `origin.nodes` names them. The last stage has cuts only if a boundary policy provided them, or if the
   * first stage follows it.
   */
  readonly pools: readonly CutPool[];
  /** The trial points of the last iteration, with the bases from which the next solves start. */
  readonly points: TrialPoints;
  readonly history: readonly IterationRecord[];
  /** The bound before the first iteration, in $. */
  readonly initialBound: number;
  /** Empty if the bound is a lower bound. */
  readonly boundCaveats: readonly BoundCaveat[];
  /** The stopping rules that held after the last iteration: why training ended, or what was missing for its end. */
  readonly rulesHolding: readonly StoppingRule[];
  readonly ruleStates: readonly RuleState[];
  /** With cut selection: for each pool, the states at which its cuts are compared, one after the other. */
  readonly archives?: readonly Float64Array[] | undefined;
}

/** Whether training started with cuts of another policy. Boundary cuts do not count: they belong to the case. */
export function startedWarm({ pools }: Pick<Policy, "pools">, { nodes }: NodeGraph): boolean {
  return pools.some(
    (pool, node) => nodes[node].children.length > 0 && pool.count > 0 && pool.iteration(0) === 0,
  );
}
