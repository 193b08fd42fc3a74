import type { CutSelectionPlugin } from "./cut-selection.js";
import { keepHigh, SAME_HEIGHT, type Tolerance } from "./keep-high.js";

/** Keeps every cut that comes within a tolerance of the highest one at some state. */
export const domination: CutSelectionPlugin<Tolerance> = {
  method: "domination",
  read: (selection) => ({
    tolerance: selection.isLater
      ? selection.number("domination_tolerance", { min: 0 })
      : (selection.optionalNumber("domination_epsilon", { min: 0 }) ?? SAME_HEIGHT),
  }),
  keep: keepHigh,
};
