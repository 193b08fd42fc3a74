import type { Element } from "./element.js";

/** The cost of everything after the stage, which cuts bound from below. */
export const futureCost: Element = ({ model, stage, floor, program }) => {
  program.future(model.study.time.discount[stage], floor);
  return {};
};
