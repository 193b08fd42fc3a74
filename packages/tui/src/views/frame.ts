/** The whole screen: what is run and how far it is, the names of the views, one of them, and the keys. */
import type { RunState } from "../state/run-state.js";
import { type ScreenState, VIEWS, type ViewName } from "../state/screen-state.js";
import { duration } from "../text/numbers.js";
import {
  type Area,
  fitted,
  type Line,
  line,
  lineColumns,
  type Span,
  type Style,
  span,
  spread,
} from "../text/styled.js";
import { convergenceView } from "./convergence.js";
import { helpLines } from "./help.js";
import { iterationsView } from "./iterations.js";
import { logView } from "./log.js";
import { ranksView } from "./ranks.js";
import { simulationView } from "./simulation.js";
import { stagesView } from "./stages.js";
import type { Surroundings, View } from "./view.js";

export const SMALLEST: Area = { columns: 80, rows: 24 };

const VIEW_OF: Record<ViewName, View> = {
  convergence: convergenceView,
  iterations: iterationsView,
  stages: stagesView,
  ranks: ranksView,
  simulation: simulationView,
  log: logView,
};

const KEYS = "space pause · s step · ←→ iteration · enter stage · e export · q quit";

/** All lines of the screen: as many as it has rows, none wider than it. */
export function screenLines(
  run: RunState,
  screen: ScreenState,
  around: Surroundings,
  area: Area,
): Line[] {
  const { columns, rows } = area;
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return tooSmall(area);
  const inner = { columns, rows: rows - 3 };
  const body = screen.isHelp ? helpLines() : VIEW_OF[screen.view](run, screen, around, inner);
  const padded = Array.from({ length: inner.rows }, (_, i) => body[i] ?? []);
  const foot = line(` ${screen.message ?? KEYS}`);
  const styledFoot = foot.map(({ text }) => span(text, screen.message ? "bold" : "dim"));
  return [header(run, screen, around, columns), tabs(screen, columns), ...padded, styledFoot].map(
    (one) => fitted(one, columns),
  );
}

function tooSmall({ columns, rows }: Area): Line[] {
  const text = `please make the terminal at least ${SMALLEST.columns} × ${SMALLEST.rows}`;
  const lines = [line(text), line(`it is ${columns} × ${rows} now; q quits`)];
  return Array.from({ length: rows }, (_, i) => fitted(lines[i] ?? [], columns));
}

function header(
  run: RunState,
  screen: ScreenState,
  { title, pauses }: Surroundings,
  columns: number,
): Line {
  const where = run.backend === "" ? [] : [`${run.ranks} × ${run.backend}`];
  const left = [" cobre", ...(title === undefined ? [] : [title]), ...where].join(" · ");
  const { word, style } = statusOf(run, screen, pauses);
  const right = [span(`${progressOf(run, screen)}  `), span(`[${word}]`, style), span(" ")];
  return spread([span(left, "bold")], right, columns);
}

function progressOf(run: RunState, screen: ScreenState): string {
  const { last, iterationLimit, leftMs } = run;
  if (run.phase === "simulation") return `${run.costs.length}/${run.scenarios ?? "?"} scenarios`;
  if (last === undefined) return "";
  const of = iterationLimit === null ? "" : `/${iterationLimit}`;
  const looked = screen.iteration === undefined ? "" : `at ${screen.iteration} · `;
  const left = leftMs === undefined ? "" : ` · left ${duration(leftMs)}`;
  return `${looked}${last.record.iteration}${of} · ${duration(last.elapsedMs)}${left}`;
}

function statusOf(
  run: RunState,
  screen: ScreenState,
  pauses: Surroundings["pauses"],
): { word: string; style: Style } {
  if (run.phase === "done") return { word: "done", style: "green" };
  if (run.phase === "failed") return { word: "failed", style: "red" };
  if (run.phase === "interrupted") return { word: "interrupted", style: "yellow" };
  if (pauses === "display" && screen.isPaused) return { word: "display paused", style: "yellow" };
  if (run.isHeld || (pauses === "replay" && screen.isPaused))
    return { word: "paused", style: "yellow" };
  if (screen.isPaused && run.phase === "training") return { word: "pausing", style: "yellow" };
  if (run.phase === "starting") return { word: "starting", style: "blue" };
  if (pauses === "replay") return { word: "replaying", style: "blue" };
  return { word: run.phase === "simulation" ? "simulating" : "running", style: "blue" };
}

function tabs({ view }: ScreenState, columns: number): Line {
  const names = VIEWS.flatMap((name, i): Span[] => {
    const text = `${i + 1} ${name[0]?.toUpperCase()}${name.slice(1)}`;
    // Brackets, because a style alone must not tell which one it is.
    return name === view ? [span(`[${text}]`, "inverse")] : [span(` ${text} `)];
  });
  const help = [span("? help ", "dim")];
  const isRoom = lineColumns(names) + lineColumns(help) < columns;
  return isRoom ? spread(names, help, columns) : fitted(names, columns);
}
