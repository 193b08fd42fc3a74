/** A dashboard for runs in the terminal: one that it starts, one whose events it reads, or one that has ended. */
export { type ShowOptions, showEvents, showFinished, showRun } from "./show.js";
export type { RunCommand } from "./sources/run-feed.js";
