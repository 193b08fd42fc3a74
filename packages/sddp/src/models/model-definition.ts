import type { RiskMeasure } from "@cobre/core";
import type { StageFormulation } from "./stage-formulation.js";

/** A number, or what it is for each opening of the stage. */
export type ByOpening<Opening> = number | ((opening: Opening) => number);

/** A component of the state: its value before the first stage, and the bounds that it keeps at the end of every stage. */
export interface StateDefinition {
  readonly initial: number;
  /** Default: 0. */
  readonly lower?: number | undefined;
  /** Default: Infinity. */
  readonly upper?: number | undefined;
}

/** What {@link defineModel} makes a model of. Stages are counted from 0. */
export interface ModelDefinition<Name extends string, Opening> {
  readonly stages: number;
  /** Default: `"min"`. */
  readonly sense?: "min" | "max" | undefined;
  /** What a stage passes to the next. A number is the initial value of a component that is never negative. */
  readonly state: Readonly<Record<Name, number | StateDefinition>>;
  /**
   * The openings of a stage: what can happen there, with equal probabilities and independent of other stages. To make one more likely,
   * name it more than once. Each may be any value; only the functions that are given to the stage look at it. Default: a single one, `undefined`.
   *
   * @param node the node of the stage, counted from 0, if `transitions` gives it several
   */
  readonly openings?: ((stage: number, node: number) => readonly Opening[]) | undefined;
  /**
   * The nodes of the stages, for a Markov chain or a tree: how likely each node of a stage is after each node of the stage before. There is a row for
   * each node before (for the first stage a single one) and in it a probability for each node of the stage. Default: one node in each stage.
   *
   * @example
   * ```ts
   * // Dry or wet from the second stage on, and mostly as before.
   * transitions: (stage) => (stage === 0 ? [[1]] : stage === 1 ? [[0.5, 0.5]] : [[0.8, 0.2], [0.3, 0.7]])
   * ```
   */
  readonly transitions?: ((stage: number) => readonly (readonly number[])[]) | undefined;
  /** Whether the first stage follows the last one, without end. `discount` must then be below 1 somewhere. Default: false. */
  readonly isCyclic?: boolean | undefined;
  /** Adds the columns and rows of a stage. It is called once for each node, on every rank, and must do the same on all of them. */
  readonly build: (stage: StageFormulation<Name, Opening>) => void;
  /**
   * A value that the objective of later stages together never passes: for `"min"` a lower bound, for `"max"` an upper bound. It may be loose. Without
   * it, bounds follow from those of the columns, which must then be finite where it matters.
   */
  readonly futureBound?: number | undefined;
  /** The factor on everything after a stage. Default: 1. */
  readonly discount?: number | ((stage: number) => number) | undefined;
  /** How a stage weighs the openings of the next one. Default: expectation. */
  readonly risk?: RiskMeasure | ((stage: number) => RiskMeasure) | undefined;
  /**
   * `training` and `simulation` as in `config.json` of a case. Defaults: 1 forward pass, 100 iterations, 1000 scenarios.
   *
   * @example
   * ```ts
   * config: { training: { forward_passes: 4, stopping_rules: [{ type: "iteration_limit", limit: 20 }] } }
   * ```
   */
  readonly config?: { readonly training?: object; readonly simulation?: object } | undefined;
}
