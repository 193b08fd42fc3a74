import type { RankTimes } from "../state/iteration.js";
import type { RunState } from "../state/run-state.js";
import { bar } from "../text/bar.js";
import { duration, memory, percent } from "../text/numbers.js";
import { line, span, wrapped } from "../text/styled.js";
import { type Column, table } from "../text/table.js";
import type { View } from "./view.js";

interface RankRow {
  readonly rank: number;
  readonly busy: number;
  readonly mean: number;
  readonly times: RankTimes | undefined;
  readonly bytes: number | undefined;
}

const COLUMNS: readonly Column<RankRow>[] = [
  { title: "rank", cell: ({ rank }) => String(rank) },
  { title: "busy", cell: ({ busy }) => percent(busy) },
  { title: "", cell: ({ busy }) => `▕${bar(busy, 10)}▏`, isLeft: true, spare: 2, style: "blue" },
  { title: "all so far", cell: ({ mean }) => percent(mean) },
  { title: "solver", cell: ({ times }) => (times ? duration(times.solvingMs) : "-") },
  { title: "collectives", cell: ({ times }) => (times ? duration(times.collectiveMs) : "-") },
  { title: "waiting", cell: ({ times }) => duration(times?.waitingMs ?? Number.NaN) },
  {
    title: "moving",
    cell: ({ times }) => duration(times ? times.collectiveMs - times.waitingMs : Number.NaN),
    spare: 1,
  },
  { title: "memory", cell: ({ bytes }) => (bytes === undefined ? "-" : memory(bytes)) },
];

/** Do the ranks work, or wait for each other? */
export const ranksView: View = (run, screen, around, { columns, rows }) => {
  const shown = run.iterations[screen.iteration === undefined ? -1 : run.indexOf(screen.iteration)];
  const iteration = shown ?? lastMeasured(run);
  if (iteration === undefined) return [line(""), line("  No iteration has been measured yet.")];
  const list = Array.from({ length: run.ranks }, (_, rank): RankRow => {
    const times = iteration.ranks.get(rank);
    const busy = iteration.busy[rank] ?? busyOf(times);
    return { rank, busy, mean: meanBusy(run, rank), times, bytes: around.memory.get(rank) };
  });
  const notes = notesOf(list).flatMap((text) => wrapped(text, columns - 2));
  const marked = Math.min(screen.offset, list.length - 1);
  return [
    line(
      ` iteration ${iteration.record.iteration}, which took ${duration(iteration.record.totalMs)}`,
    ),
    ...table(COLUMNS, list, { rows: rows - 1 - notes.length, columns, marked }),
    ...notes.map((text) => line(span(` ${text}`, "dim"))),
  ];
};

function notesOf(list: readonly RankRow[]): string[] {
  const isWaitingKnown = list.some(({ times }) => Number.isFinite(times?.waitingMs));
  return [
    "Busy: the part of the time that is not spent in collectives, which is waiting for others and moving data.",
    ...(isWaitingKnown || list.length === 1
      ? []
      : ["Waiting is measured apart from moving with cobre run --report only."]),
  ];
}

function busyOf(times: RankTimes | undefined): number {
  return times === undefined ? Number.NaN : 1 - times.collectiveMs / times.totalMs;
}

function lastMeasured({ iterations }: RunState) {
  return iterations.findLast(({ busy }) => busy.length > 0) ?? iterations.at(-1);
}

/** By time: long iterations count more. */
function meanBusy({ iterations }: RunState, rank: number): number {
  let [busy, total] = [0, 0];
  for (const iteration of iterations) {
    const part = iteration.busy[rank] ?? busyOf(iteration.ranks.get(rank));
    if (!Number.isFinite(part)) continue;
    busy += part * iteration.record.totalMs;
    total += iteration.record.totalMs;
  }
  return total > 0 ? busy / total : Number.NaN;
}
