/** The display of a run on a terminal: five lines, fewer where there is less room. */
import { forwardMeanOf } from "@cobre/study";
import { withUnit } from "@cobre/study/numbers";
import { exactMoney, money, share, whole } from "../report/numbers.js";
import { bar, type Page, type Style, styled } from "../report/page.js";
import { duration } from "./duration.js";
import type { BlockLine } from "./live-block.js";
import type { RunProgress } from "./run-progress.js";
import { sparkline } from "./sparkline.js";

const LABEL = 10;
/** Less is not worth more than one line. */
const SMALLEST = { columns: 40, rows: 8 };
const BAR = { phase: 24, rank: 10 };
/** More ranks than these are summed up. */
const MOST_METERS = 8;

/** What stays the same during a run. */
export interface RunTitle {
  readonly name: string;
  /** Ranks, backend, solver. */
  readonly details: readonly string[];
}

/** The lines, none of them wider than the terminal. `note` comes last, if there is one. */
export function progressLines(
  page: Page,
  rows: number,
  title: RunTitle,
  progress: RunProgress,
  note?: string,
): readonly BlockLine[] {
  // A terminal may break a line that fills its last column.
  const room = page.width - 1;
  const isSmall = page.width < SMALLEST.columns || rows < SMALLEST.rows;
  const small = isSmall ? [placeWords(progress)] : undefined;
  const parts =
    small ??
    (progress.phase === "simulation" ? simulationLines(progress) : trainingLines(progress));
  const head = isSmall
    ? []
    : [spread(headline(title, room - goal(progress).length), goal(progress), room)];
  const lines = [
    ...head.map((text) => line(page, cut(text, room), "bold", text.length)),
    ...parts.map((words) => line(page, cut(fitted(words, room), room), "dim", LABEL)),
  ];
  return note === undefined
    ? lines
    : [...lines, line(page, cut(note, room), "yellow", note.length)];
}

/** A text of which the first characters have a style. */
function line(page: Page, plain: string, style: Style, length: number): BlockLine {
  const text = styled(page, style, plain.slice(0, length)) + plain.slice(length);
  return { text, columns: widthOf(plain) };
}

function trainingLines(progress: RunProgress): readonly string[][] {
  const { records, working } = progress;
  const last = records.at(-1);
  const left = leftText(progress);
  const { solvesPerSecond, simplexIterationsEach, retriedSolves } = progress;
  // What must be seen comes first: the last words are left out where there is no room.
  const speed = [
    ...(solvesPerSecond === undefined ? [] : [`${whole(solvesPerSecond)} LP/s`]),
    ...(retriedSolves === 0 ? [] : [`† ${whole(retriedSolves)} solved again`]),
    ...(simplexIterationsEach === undefined
      ? []
      : [`${simplexIterationsEach.toFixed(1)} simplex iterations each`]),
    ...(retriedSolves === 0 ? ["no retries"] : []),
  ];
  if (last === undefined) {
    return [workingWords(working, speed), [`${"ranks".padEnd(LABEL)}${progress.ranks}`]];
  }
  const { mean, ci95, passes, isExact = false } = forwardMeanOf(last);
  const meaning = isExact ? "of all paths: an upper bound" : "a sample, not a bound";
  const interval = ci95 === null ? "" : ` ± ${money(ci95)}`;
  const bounds = records.map(({ lowerBound }) => lowerBound);
  return [
    [
      `${"bound".padEnd(LABEL)}${withUnit(last.lowerBound, "$", 6)}  ${sparkline(bounds, BAR.phase)}`,
      ...riseText(bounds),
    ],
    [
      `${"forward".padEnd(LABEL)}${exactMoney(mean)}${interval}`,
      `${passes === 1 ? "1 pass" : `${passes} passes`}${isExact ? " " : ": "}${meaning}`,
    ],
    workingWords(working, speed),
    rankWords(progress.busy, left),
  ];
}

function workingWords(working: RunProgress["working"], speed: readonly string[]): string[] {
  if (working === undefined) return ["starting"];
  const { phase, stageId, done, of } = working;
  const meter = `▕${bar(of === 0 ? 0 : done / of, BAR.phase).padEnd(BAR.phase)}▏`;
  const place = phase === "backward" ? `stage ${stageId}` : `pass ${done} of ${of}`;
  const label = phase === "backward" ? "backward" : "passes";
  return [`${label.padEnd(LABEL)}${meter} ${place}`, ...speed];
}

/** As many ranks as there is room for; {@link fitted} leaves out the others. */
function rankWords(busy: readonly number[], left: string): string[] {
  const label = `${"ranks".padEnd(LABEL)}${left} · `;
  if (busy.length > MOST_METERS) {
    const sorted = [...busy].sort((a, b) => a - b);
    const percent = (part: number | undefined) => share(100 * (part ?? 0));
    const middle = sorted[Math.floor(sorted.length / 2)];
    const range = `${percent(sorted[0])} to ${percent(sorted.at(-1))}`;
    return [`${label}${busy.length} ranks, busy ${range}`, `median ${percent(middle)}`];
  }
  const [first = "", ...others] = busy.map((part, rank) => {
    const percent = `${Math.round(100 * part)} %`.padStart(5);
    return `${rank} ▕${bar(part, BAR.rank).padEnd(BAR.rank)}▏${percent}`;
  });
  return [`${label}${first}`, ...others];
}

function simulationLines(progress: RunProgress): readonly string[][] {
  const { done, of } = progress.scenarios;
  const meter = `▕${bar(of === 0 ? 0 : done / of, BAR.phase).padEnd(BAR.phase)}▏`;
  const whose = progress.ranks > 1 ? " of rank 0" : "";
  const left = leftText(progress);
  return [
    [
      `${"scenarios".padEnd(LABEL)}${meter} ${whole(done)} of ${whole(of)}${whose}`,
      ...(left === "" ? [] : [left]),
    ],
  ];
}

/** All in one line, for a terminal that has no room. */
function placeWords(progress: RunProgress): string[] {
  const left = leftText(progress);
  return [goal(progress), ...(left === "" ? [] : [left])];
}

/** What the run is at, of how much. */
function goal({ phase, iteration, limit, scenarios }: RunProgress): string {
  if (phase === "simulation") return `simulation ${scenarios.done} of ${scenarios.of}`;
  return `iteration ${iteration}${limit === undefined ? "" : ` of ${limit}`}`;
}

function leftText({ leftMs, elapsedMs }: RunProgress): string {
  if (leftMs !== undefined) return `left about ${duration(leftMs)}`;
  return elapsedMs > 0 ? `running ${duration(elapsedMs)}` : "";
}

/** How much the bound has risen in the last ten iterations. */
function riseText(bounds: readonly number[]): string[] {
  const [last, before] = [bounds.at(-1) ?? 0, bounds.at(-11)];
  if (before === undefined || last === 0) return [];
  const percent = (100 * (last - before)) / Math.abs(last);
  return [`${percent < 0 ? "" : "+"}${percent.toPrecision(2)} % in the last 10`];
}

function headline({ name, details }: RunTitle, room: number): string {
  return fitted([name, ...details], room - 2);
}

/** The parts with points between them, without the last ones if there is no room for all. */
function fitted(parts: readonly string[], room: number): string {
  for (let count = parts.length; count > 1; count--) {
    const text = parts.slice(0, count).join(" · ");
    if (widthOf(text) <= room) return text;
  }
  return parts[0] ?? "";
}

function spread(left: string, right: string, room: number): string {
  return `${left}${" ".repeat(Math.max(2, room - widthOf(left) - widthOf(right)))}${right}`;
}

/** The columns of a text. Letters beyond Latin, Greek and Cyrillic may be two wide, and are counted as that; our own bars are not. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += isNarrow(letter.codePointAt(0) ?? 0) ? 1 : 2;
  return width;
}

function isNarrow(code: number): boolean {
  return code < 0x1100 || (code >= 0x2000 && code < 0x2600);
}

function cut(text: string, room: number): string {
  let [width, end] = [0, 0];
  for (const letter of text) {
    width += widthOf(letter);
    if (width > room) break;
    end += letter.length;
  }
  return text.slice(0, end);
}
