import type { RunState } from "./run-state.js";

export const VIEWS = ["convergence", "iterations", "stages", "ranks", "simulation", "log"] as const;
export type ViewName = (typeof VIEWS)[number];

/** What a person looks at. */
export interface ScreenState {
  readonly view: ViewName;
  /** The iteration that is looked at; `undefined` follows the last one. */
  readonly iteration: number | undefined;
  /** The stage that is marked, from 0. */
  readonly stage: number;
  /** Whether the cuts of this stage are shown. */
  readonly isInspecting: boolean;
  /** The cut that is marked, or how far the log is scrolled back. */
  readonly offset: number;
  readonly isHelp: boolean;
  /** Whether a pause was asked for. The run waits only at the end of its iteration. */
  readonly isPaused: boolean;
  /** What the last key did, if it needs words. */
  readonly message: string | undefined;
}

export const FIRST_SCREEN: ScreenState = {
  view: "convergence",
  iteration: undefined,
  stage: 0,
  isInspecting: false,
  offset: 0,
  isHelp: false,
  isPaused: false,
  message: undefined,
};

/** What a key asks of the world outside of the screen. */
export type Effect = "quit" | "stop" | "pause" | "go" | "step" | "export" | "suspend" | "redraw";

export interface Pressed {
  readonly screen: ScreenState;
  readonly effect?: Effect;
}

/** What a key does. Keys have the names of terminal-kit. */
export function press(screen: ScreenState, key: string, run: RunState): Pressed {
  const quiet = { ...screen, message: undefined };
  if (key === "CTRL_C") return { screen: quiet, effect: "stop" };
  if (key === "CTRL_Z") return { screen: quiet, effect: "suspend" };
  if (key === "CTRL_L") return { screen: quiet, effect: "redraw" };
  if (key === "q") return { screen: quiet, effect: "quit" };
  if (screen.isHelp) return { screen: { ...quiet, isHelp: false } };
  const view = VIEWS[Number(key) - 1];
  if (view !== undefined) return { screen: looking(quiet, view) };
  switch (key) {
    case "TAB":
      return { screen: looking(quiet, neighbour(screen.view, 1)) };
    case "SHIFT_TAB":
      return { screen: looking(quiet, neighbour(screen.view, -1)) };
    case "?":
    case "h":
      return { screen: { ...quiet, isHelp: true } };
    case " ":
      return screen.isPaused
        ? { screen: { ...quiet, isPaused: false }, effect: "go" }
        : { screen: { ...quiet, isPaused: true }, effect: "pause" };
    case "s":
      return { screen: { ...quiet, isPaused: true }, effect: "step" };
    case "e":
      return { screen: quiet, effect: "export" };
    case "LEFT":
      return { screen: moved(quiet, run, -1) };
    case "RIGHT":
      return { screen: moved(quiet, run, 1) };
    case "HOME":
      return { screen: moved(quiet, run, Number.NEGATIVE_INFINITY) };
    case "END":
      return { screen: { ...quiet, iteration: undefined } };
    case "UP":
      return { screen: scrolled(quiet, run, -1) };
    case "DOWN":
      return { screen: scrolled(quiet, run, 1) };
    case "PAGE_UP":
      return { screen: scrolled(quiet, run, -10) };
    case "PAGE_DOWN":
      return { screen: scrolled(quiet, run, 10) };
    case "ENTER":
      return { screen: entered(quiet) };
    case "ESCAPE":
    case "BACKSPACE":
      return { screen: { ...quiet, isInspecting: false, offset: 0 } };
    default:
      return { screen };
  }
}

function looking(screen: ScreenState, view: ViewName): ScreenState {
  return { ...screen, view, isInspecting: false, offset: 0 };
}

function neighbour(view: ViewName, step: number): ViewName {
  const place = (VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length;
  return VIEWS[place] as ViewName;
}

/** Another iteration; beyond the last one, the last one is followed again. */
function moved(screen: ScreenState, run: RunState, step: number): ScreenState {
  const first = run.iterations[0]?.record.iteration;
  const last = run.last?.record.iteration;
  if (first === undefined || last === undefined) return screen;
  const next = Math.max(first, (screen.iteration ?? last) + step);
  return { ...screen, iteration: next >= last ? undefined : next };
}

/** The iterations table goes by iteration, stages by stage; cuts and the log scroll. */
function scrolled(screen: ScreenState, run: RunState, step: number): ScreenState {
  if (screen.view === "iterations") return moved(screen, run, step);
  if (screen.view === "stages" && !screen.isInspecting) {
    const stage = Math.min(Math.max(0, run.stages - 1), Math.max(0, screen.stage + step));
    return { ...screen, stage };
  }
  if (screen.view === "log") {
    const offset = Math.min(Math.max(0, run.log.length - 1), Math.max(0, screen.offset - step));
    return { ...screen, offset };
  }
  return { ...screen, offset: Math.max(0, screen.offset + step) };
}

/** From any view, enter leads to the stages, and from there to the cuts of one. */
function entered(screen: ScreenState): ScreenState {
  if (screen.view !== "stages") return looking(screen, "stages");
  return { ...screen, isInspecting: !screen.isInspecting, offset: 0 };
}
