import type { RunState } from "../state/run-state.js";
import type { ScreenState } from "../state/screen-state.js";
import type { StageCuts } from "../state/stage-cuts.js";
import type { Area, Line } from "../text/styled.js";

/** What is known beside the events. */
export interface Surroundings {
  /** The name of the case, if it is known. */
  readonly title: string | undefined;
  /** Labels of the stages by index: their ids and dates. */
  readonly stageLabels: readonly string[];
  /** The cuts of the stage that is inspected, or why there are none. */
  readonly cuts: StageCuts | string | undefined;
  /** Bytes of memory by rank, where this can be looked up. */
  readonly memory: ReadonlyMap<number, number>;
  /** What pausing means here: the run waits, the replay does, or only what is shown. */
  readonly pauses: "run" | "replay" | "display";
  /** Whose programs are counted by stage. */
  readonly solvesOf: string;
}

export const NOTHING_KNOWN: Surroundings = {
  title: undefined,
  stageLabels: [],
  cuts: undefined,
  memory: new Map(),
  pauses: "run",
  solvesOf: "rank 0",
};

/** A view: lines of text from what is known. It has no more lines than the area has rows. */
export type View = (run: RunState, screen: ScreenState, around: Surroundings, area: Area) => Line[];
