import type { IterationState } from "../state/iteration.js";
import { change, duration, money, percent, whole } from "../text/numbers.js";
import type { Column } from "../text/table.js";

/** An iteration and the one before it. */
export interface IterationRow {
  readonly current: IterationState;
  readonly previous: IterationState | undefined;
}

/** Digits enough to see how the bound still rises. */
const DIGITS = 6;

/** What the tables of iterations tell. Shares are those of rank 0. */
export const ITERATION_COLUMNS: readonly Column<IterationRow>[] = [
  {
    title: "iteration",
    cell: ({ current }) => `${current.record.iteration}${current.retried > 0 ? "†" : ""}`,
  },
  { title: "bound", cell: ({ current }) => money(current.record.lowerBound, DIGITS) },
  { title: "rise", cell: riseOf, spare: 2 },
  { title: "forward (mean)", cell: ({ current }) => money(current.record.upperBoundMean) },
  {
    title: "± 95 %",
    cell: ({ current: { record } }) =>
      record.forwardPasses > 1
        ? money((1.96 * record.upperBoundStd) / Math.sqrt(record.forwardPasses), 3)
        : "-",
    spare: 4,
  },
  { title: "cuts", cell: ({ current }) => whole(current.record.cutsActive) },
  { title: "LPs", cell: ({ current }) => whole(current.record.lpSolves), spare: 1 },
  { title: "time", cell: ({ current }) => duration(current.record.totalMs) },
  { title: "forward", cell: ({ current }) => duration(current.record.forwardMs), spare: 5 },
  { title: "backward", cell: ({ current }) => duration(current.record.backwardMs), spare: 5 },
  { title: "solve", cell: ({ current }) => shareOf(current, "solvingMs"), spare: 1 },
  { title: "collectives", cell: ({ current }) => shareOf(current, "collectiveMs"), spare: 3 },
];

function riseOf({ current, previous }: IterationRow): string {
  if (previous === undefined) return "";
  const [now, before] = [current.record.lowerBound, previous.record.lowerBound];
  return change((now - before) / Math.max(Math.abs(now), 1e-300));
}

function shareOf({ ranks }: IterationState, part: "solvingMs" | "collectiveMs"): string {
  const times = ranks.get(0);
  return times === undefined ? "-" : percent(times[part] / times.totalMs);
}
