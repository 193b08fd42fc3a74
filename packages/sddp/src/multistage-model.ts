import type { NodeGraph, Study } from "@cobre/core";
import type { Config } from "@cobre/io";
import type { OpeningTree } from "@cobre/stochastic";
import type { CutPool } from "./cuts/cut-pool.js";
import type { PolicyOrigin, PolicyStates } from "./policy/policy.js";
import type { ScenarioTables } from "./results/scenario-record.js";
import type { BuiltStage } from "./stage/build-stage.js";
import type { StageProgram } from "./stage/program/stage-program.js";
import type { StageProblem } from "./stage/stage-problem.js";

/** The results of one scenario, stage by stage. */
export interface ScenarioRecorder {
  /** The discounted cost of the stages so far. */
  readonly totalCost: number;
  /** Adds the stage that has just been solved. */
  add(problem: StageProblem, incoming: Float64Array): void;
  tables(): ScenarioTables;
}

/**
 * A multistage problem as the algorithm sees it. Training and simulation know nothing else of what they solve: a hydrothermal case is one such model
 * (`Model`), and one that a program defines is another (`FormulatedModel`).
 */
export interface MultistageModel extends Disposable {
  readonly config: Pick<Config, "compat" | "dialect" | "training" | "simulation">;
  /** Stages with their risk measures, and the discount factors between them. */
  readonly study: {
    readonly time: Pick<Study["time"], "discount" | "cumulativeDiscount"> & {
      readonly stages: readonly Pick<Study["time"]["stages"][number], "id" | "riskMeasure">[];
      readonly graph: NodeGraph;
    };
  };
  readonly stages: number;
  /** The nodes of the stages. In a chain they are the same, with the same indices. */
  readonly graph: NodeGraph;
  /** The number of components of a state. */
  readonly dimension: number;
  readonly initialState: Float64Array;
  /** The noise of every opening of every node; what its numbers mean is known to the stages' parts. */
  readonly tree: OpeningTree;
  /** How many units of cost in results are one unit in programs, cuts and policies. */
  readonly costScale: number;
  /** 1 if results are costs, -1 if they are rewards whose negative is minimised. */
  readonly sign: 1 | -1;
  /** What the cuts refer to. */
  readonly states: PolicyStates;
  /** Builds the program of a node, without cuts; `floor` is a lower bound on the cost of what follows, `undefined` if nothing does. */
  buildStage(node: number, floor: number | undefined): BuiltStage;
  /** A cost that a node and those after it cannot fall below. */
  lowestCost(node: number, program: StageProgram): number;
  /** A value that the cuts of the last stage do not fall below in any state in which the model can end. */
  lowestTerminalValue(pool: CutPool): number;
  /** Hashes of everything that affects training, and of what affects the cost of the stages after each one. */
  fingerprints(
    problems: readonly StageProblem[],
    boundary: CutPool,
  ): Required<Pick<PolicyOrigin, "caseFingerprint" | "futureFingerprints">>;
  /** What makes the record of each scenario. */
  recorder(): () => ScenarioRecorder;
  close(): void;
}
