import type { StoppingRule } from "@cobre/io";
import type { BoundCaveat } from "./policy/policy.js";
import type { CoefficientRanges } from "./stage/coefficient-ranges.js";
import type { StageSolves } from "./stage/solve-statistics.js";
import type { SelectedCuts } from "./training/cut-selector.js";
import type { IterationRecord } from "./training/records.js";

/**
 * Why training ended: the type of the stopping rule that ended it, or `"interrupted"`. With `stopping_mode` "all" every rule holds, and the last
 * one in the list gives its name.
 */
export type Termination = "interrupted" | StoppingRule["type"];

/**
 * What a rank reports while it works. Milliseconds, simplex iterations and `solves` are its own; `lpSolves` counts the programs solved
 * by all ranks together.
 */
export type SddpEvent =
  | {
      readonly type: "training_started";
      readonly stages: number;
      readonly stateDimension: number;
      readonly forwardPasses: number;
      readonly ranks: number;
      readonly solver: string;
      /** The last iteration of the policy that is resumed, or 0. */
      readonly afterIteration: number;
      readonly cuts: number;
      /** Whether training started with cuts of another policy. */
      readonly isWarm: boolean;
      /** The stages whose cuts of a warm start were made for other data; empty for a run that is resumed. */
      readonly foreignStageIds: readonly number[];
      /** Why the lower bound may lie above the optimum. */
      readonly boundCaveats: readonly BoundCaveat[];
    }
  /** Before the first iteration: the ranges of the coefficients in the programs; of each stage, in that of its first node. */
  | { readonly type: "programs_built"; readonly ranges: readonly CoefficientRanges[] }
  /**
   * Where this rank is within an iteration: it is told after each of its forward passes and before each stage of the backward sweep. For
   * displays; nothing of it is a result.
   */
  | {
      readonly type: "working";
      readonly iteration: number;
      readonly phase: "forward" | "backward";
      /** The id of the stage that the backward sweep solves. */
      readonly stageId: number | null;
      /** Forward passes of this rank, or stages. */
      readonly done: number;
      readonly of: number;
    }
  | {
      readonly type: "forward_done";
      readonly iteration: number;
      readonly ms: number;
      readonly lpSolves: number;
    }
  | {
      readonly type: "backward_done";
      readonly iteration: number;
      readonly ms: number;
      readonly lpSolves: number;
    }
  | {
      readonly type: "bound_done";
      readonly iteration: number;
      readonly ms: number;
      readonly lowerBound: number;
    }
  /** After the backward sweep, where cuts were selected: what became of the cuts of each stage that may lose some. */
  | {
      readonly type: "cuts_selected";
      readonly iteration: number;
      readonly ms: number;
      readonly stages: readonly SelectedCuts[];
    }
  | {
      readonly type: "iteration_done";
      readonly record: IterationRecord;
      /** Milliseconds of this iteration in collectives; `waitingMs` is 0 unless waiting is measured apart. */
      readonly waitingMs: number;
      readonly movingMs: number;
      /** Milliseconds of this iteration in the solver. */
      readonly solvingMs: number;
      readonly simplexIterations: number;
      /** What this rank solved. The solves of a simulation made for a stopping rule count towards the next iteration. */
      readonly solves: readonly StageSolves[];
      readonly elapsedMs: number;
    }
  /** After an iteration: how the ranks fared in it. The same on every rank. */
  | {
      readonly type: "ranks_measured";
      readonly iteration: number;
      /** By rank: the part of the time, from 0 to 1, that was not spent waiting for others or exchanging data with them. */
      readonly busy: readonly number[];
      /** How many programs took more than one attempt, on all ranks together. */
      readonly retriedSolves: number;
    }
  | {
      readonly type: "simulation_compared";
      readonly iteration: number;
      readonly ms: number;
      readonly lpSolves: number;
      /** From the previous simulation; `undefined` for the first one. */
      readonly distance: number | undefined;
    }
  | { readonly type: "checkpoint_written"; readonly iteration: number; readonly ms: number }
  | {
      readonly type: "training_done";
      readonly termination: Termination;
      readonly iterations: number;
      readonly elapsedMs: number;
    }
  | {
      readonly type: "simulation_started";
      readonly scenarios: number;
      /** Whether they are all paths of a tree, which are not equally likely. Default: false. */
      readonly isExact?: boolean | undefined;
    }
  /** The programs of these stages have changed since training, so their solves start from slack bases. */
  | { readonly type: "bases_replaced"; readonly stageIds: readonly number[] }
  /** Counts this rank's scenarios. `cost` is that of the one just done, discounted, in $. */
  | {
      readonly type: "scenario_done";
      readonly done: number;
      readonly of: number;
      readonly cost: number;
    }
  | {
      readonly type: "simulation_done";
      readonly scenarios: number;
      readonly ms: number;
      /** What this rank solved. */
      readonly solves: readonly StageSolves[];
    };

export type EventListener = (event: SddpEvent) => void;
