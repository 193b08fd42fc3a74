// The picture of the dashboard in README.md and docs/tui.md: `node scripts/dashboard-picture.mjs OUT`, where OUT is what
// `cobre run examples/cases/four-regions -n 2 --report --output OUT` has written. It replays the run and draws some moments of it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRun } from "../packages/study/dist/index.js";
import {
  animatedSvgOf,
  eventsOfRun,
  FIRST_SCREEN,
  FinishedFeed,
  NOTHING_KNOWN,
  RunState,
  screenLines,
} from "../packages/tui/dist/internal.js";
import { ROOT } from "./prepare.mjs";

const AREA = { columns: 92, rows: 26 };
const SECONDS_EACH = 3;
const PICTURE = join(ROOT, "docs/images/dashboard.svg");

const [, , directory] = process.argv;
if (directory === undefined) {
  console.error("which run? node scripts/dashboard-picture.mjs OUT");
  process.exit(2);
}
const finished = await openRun(directory);
const feed = new FinishedFeed(finished);
const stageLabels = await feed.stageLabels();
const events = await eventsOfRun(finished);

/** The run after so many iterations; as it was in the end without a number. */
function runAfter(iterations = Number.POSITIVE_INFINITY) {
  const run = new RunState();
  for (const event of events) {
    if (event.type === "forward_done" && event.iteration > iterations) return run;
    run.take(event);
  }
  run.end(0);
  return run;
}

const end = runAfter();
const cuts = await feed.cuts(end, 5);
const around = { ...NOTHING_KNOWN, title: feed.title, solvesOf: feed.solvesOf, stageLabels, cuts };
const moments = [
  [runAfter(9), {}],
  [runAfter(27), {}],
  [runAfter(33), { view: "stages", stage: 5 }],
  [end, { view: "stages", stage: 5, isInspecting: true }],
  [end, { view: "ranks" }],
  [end, { view: "simulation" }],
];
const screens = moments.map(([run, screen]) =>
  screenLines(run, { ...FIRST_SCREEN, ...screen }, around, AREA),
);
writeFileSync(PICTURE, animatedSvgOf(screens, AREA.columns, SECONDS_EACH));
console.log(`written: ${PICTURE}`);
