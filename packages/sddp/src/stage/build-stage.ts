import type { Model } from "../model.js";
import { StageBuilder, type StagePart } from "./elements/element.js";
import { ELEMENTS } from "./elements/index.js";
import type { StageProgram } from "./program/stage-program.js";

/** The program of a stage, and what its elements do when it is solved. */
export interface BuiltStage {
  readonly lp: StageProgram;
  readonly parts: readonly StagePart[];
}

/**
 * Builds the program of a stage from its elements, without cuts.
 *
 * @param floor a lower bound on the cost of what follows the stage, in thousands of $; `undefined` if nothing does
 */
export function buildStage(model: Model, stage: number, floor: number | undefined): BuiltStage {
  const builder = new StageBuilder(model, stage, floor);
  const parts = ELEMENTS.map((element) => element(builder));
  return { lp: builder.program.build(), parts };
}
