import type { RunState } from "../state/run-state.js";
import { box } from "../text/box.js";
import { change, money } from "../text/numbers.js";
import { line, span } from "../text/styled.js";
import { table } from "../text/table.js";
import { chart } from "./chart.js";
import { ITERATION_COLUMNS } from "./iteration-columns.js";
import type { View } from "./view.js";

const RECENT = 10;

/** Has it converged? The bound and the forward costs by iteration, and the numbers of one iteration. */
export const convergenceView: View = (run, screen, _, area) => {
  const { columns } = area;
  const { iterations } = run;
  if (iterations.length === 0) return [line(""), line(`  ${emptyText(run)}`)];
  const index = screen.iteration === undefined ? undefined : run.indexOf(screen.iteration);
  const place = index ?? iterations.length - 1;
  const shown = iterations[place];
  const drawn = chart(
    {
      first: iterations[0]?.record.iteration ?? 1,
      line: iterations.map(({ record }) => record.lowerBound),
      points: iterations.map(({ record }) => record.upperBoundMean),
      marked: index,
      label: (value) => money(value, 4),
    },
    { columns: columns - 4, rows: area.rows - 6 },
  );
  const title = run.isEstimate ? "bound (an estimate) and forward cost" : "bound and forward cost";
  return [
    ...box(title, drawn, { columns, rows: area.rows - 4 }),
    line(
      " ",
      span("─", "blue"),
      " lower bound   ",
      span("•", "yellow"),
      iterations.at(-1)?.record.isExact
        ? " cost of the policy, over all paths: an upper bound"
        : " mean cost of the forward passes: a sample, not a bound",
    ),
    line(` ${riseText(run)}`),
    ...(shown === undefined
      ? []
      : table(ITERATION_COLUMNS, [{ current: shown, previous: iterations[place - 1] }], {
          rows: 2,
          columns,
        })),
  ];
};

function emptyText({ phase }: RunState): string {
  if (phase === "simulation") return "This run simulates a policy that was trained before.";
  if (phase === "starting" || phase === "training")
    return "The first iteration has not ended yet: reading the case, building the programs.";
  return "No iteration in this run.";
}

function riseText({ iterations }: RunState): string {
  const last = iterations.at(-1);
  const before = iterations.at(-1 - RECENT) ?? iterations[0];
  if (last === undefined || before === undefined || last === before) return "";
  const count = last.record.iteration - before.record.iteration;
  const rise =
    (last.record.lowerBound - before.record.lowerBound) / Math.abs(last.record.lowerBound);
  return `The bound rose ${change(rise)} in the last ${count} iterations.`;
}
