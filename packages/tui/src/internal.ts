/** For tests: what the package is made of. */

export { lastSentence, sentenceOf } from "./plain/sentences.js";
export { animatedSvgOf, svgOf } from "./snapshot/svg.js";
export { eventsOfRun } from "./sources/finished-events.js";
export { FinishedFeed } from "./sources/finished-feed.js";
export { EventLines } from "./sources/lines.js";
export { Playback } from "./sources/playback.js";
export { type IterationState, workByStage } from "./state/iteration.js";
export { RunState } from "./state/run-state.js";
export { FIRST_SCREEN, press, type ScreenState, VIEWS } from "./state/screen-state.js";
export type { StageCuts } from "./state/stage-cuts.js";
export { stageCuts } from "./state/stage-cuts.js";
export { readEvent, type ToldEvent } from "./state/told-event.js";
export { asciiText, hasUtf8 } from "./text/ascii.js";
export { columnsOf, lineColumns, plainText, wrapped } from "./text/styled.js";
export { screenLines } from "./views/frame.js";
export { NOTHING_KNOWN, type Surroundings } from "./views/view.js";
