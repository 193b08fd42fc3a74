/** The methods of cut selection. A new one is a file, and a line here. The first one is that of a case which says nothing about it. */
import type { CutSelectionPlugin } from "./cut-selection.js";
import { domination } from "./domination.js";
import { dynamic } from "./dynamic.js";
import { level1 } from "./level1.js";
import { lml1 } from "./lml1.js";

export const CUT_SELECTIONS: readonly [CutSelectionPlugin, ...CutSelectionPlugin[]] = [
  dynamic,
  lml1,
  level1,
  domination,
];
