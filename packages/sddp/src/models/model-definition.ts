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
   */
  readonly openings?: ((stage: number) => readonly Opening[]) | undefined;
  /** Adds the columns and rows of a stage. It is called once for each stage, on every rank, and must do the same on all of them. */
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
