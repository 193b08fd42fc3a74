import type { CutSelectionPlugin } from "./cut-selection.js";
import { keepHigh, readTies, type Tolerance } from "./keep-high.js";

/** Keeps every cut that is as high as the highest one at some state. */
export const level1: CutSelectionPlugin<Tolerance> = {
  method: "level1",
  read: readTies,
  keep: keepHigh,
};
