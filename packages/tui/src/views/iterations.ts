import { line, span } from "../text/styled.js";
import { table } from "../text/table.js";
import { ITERATION_COLUMNS } from "./iteration-columns.js";
import type { View } from "./view.js";

/** What did each iteration do? A row for each. */
export const iterationsView: View = (run, screen, _, { columns, rows }) => {
  const { iterations } = run;
  if (iterations.length === 0) return [line(""), line("  No iteration yet.")];
  const list = iterations.map((current, i) => ({ current, previous: iterations[i - 1] }));
  const marked =
    screen.iteration === undefined ? iterations.length - 1 : run.indexOf(screen.iteration);
  const isRetried = iterations.some(({ retried }) => retried > 0);
  const foot = isRetried
    ? [line(span(" † programs were solved again with other settings", "dim"))]
    : [];
  return [
    ...table(ITERATION_COLUMNS, list, { rows: rows - foot.length, columns, marked }),
    ...foot,
  ];
};
