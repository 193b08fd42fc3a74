import type { RunState } from "../state/run-state.js";
import { bar } from "../text/bar.js";
import { counted, money, percent, whole } from "../text/numbers.js";
import { type Line, line, span } from "../text/styled.js";
import type { View } from "./view.js";

/** What will it cost, and how sure is that? Progress and the costs of the scenarios so far. */
export const simulationView: View = (run, _, __, { columns, rows }) => {
  const head = progressLines(run, columns);
  if (run.costs.length === 0) return head;
  const room = rows - head.length - 7;
  return [
    ...head,
    line(""),
    ...(run.isCensus ? pathLines(run) : statisticsOf(run.costs)),
    line(""),
    ...histogram(run.costs, columns, room),
  ];
};

function progressLines(run: RunState, columns: number): Line[] {
  const { scenarios } = run;
  if (scenarios === null)
    return [
      line(""),
      line(`  ${run.phase === "starting" ? "Not started yet." : "No simulation in this run."}`),
    ];
  const done = run.simulated?.costs.length ?? run.costs.length;
  if (done === 0 && run.phase !== "simulation")
    return [
      line(""),
      line(`  ${counted(scenarios, "scenario")} will be simulated after training.`),
    ];
  const part = done / Math.max(1, scenarios);
  const width = Math.max(10, Math.min(40, columns - 40));
  const text = ` ${whole(done)} of ${counted(scenarios, "scenario")} · ${percent(part)}`;
  const byRank = [...run.scenariosOf].sort(([a], [b]) => a - b);
  const ranks = byRank.map(([rank, of]) => `rank ${rank}: ${of.done} of ${of.of}`).join(" · ");
  return [
    line(""),
    line(" ▕", span(bar(part, width), "blue"), `▏${text}`),
    ...(byRank.length > 1 ? [line(span(` ${ranks}`, "dim"))] : []),
  ];
}

/** All paths: they are not equally likely, so there is no mean before the last one is simulated. */
function pathLines({ costs, simulated }: RunState): Line[] {
  const [least, most] = [
    costs.reduce((a, b) => Math.min(a, b)),
    costs.reduce((a, b) => Math.max(a, b)),
  ];
  const mean = simulated === undefined ? "when all paths are simulated" : money(simulated.mean);
  return [
    line(
      " mean       ",
      span(mean, "bold"),
      simulated === undefined ? "" : ", the cost of the policy",
    ),
    line(` all        ${money(least)} to ${money(most)}`),
  ];
}

function statisticsOf(costs: readonly number[]): Line[] {
  const sorted = [...costs].sort((a, b) => a - b);
  const mean = costs.reduce((sum, cost) => sum + cost / costs.length, 0);
  const squares = costs.reduce((sum, cost) => sum + (cost - mean) ** 2, 0);
  const half =
    costs.length > 1 ? 1.96 * Math.sqrt(squares / (costs.length - 1) / costs.length) : undefined;
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  const interval = half === undefined ? "" : ` ± ${money(half, 3)} (95 %)`;
  return [
    line(" mean       ", span(`${money(mean)}${interval}`, "bold")),
    line(` 5 to 95 %  ${money(at(0.05))} to ${money(at(0.95))}`),
    line(` all        ${money(at(0))} to ${money(at(1))}`),
  ];
}

/** How many scenarios cost how much. */
function histogram(costs: readonly number[], columns: number, rows: number): Line[] {
  const low = costs.reduce((least, cost) => Math.min(least, cost));
  const high = costs.reduce((most, cost) => Math.max(most, cost));
  const bins = Math.max(1, Math.min(rows, 12));
  if (!(high > low) || rows < 3) return [];
  const counts = Array<number>(bins).fill(0);
  for (const cost of costs) {
    const bin = Math.min(bins - 1, Math.floor(((cost - low) / (high - low)) * bins));
    (counts[bin] as number)++;
  }
  const most = Math.max(...counts);
  const edges = counts.map((_, bin) => money(low + ((high - low) * bin) / bins));
  const margin = Math.max(...edges.map((edge) => edge.length));
  const width = Math.max(10, Math.min(60, columns - margin - 16));
  return counts.map((count, bin) =>
    line(
      span(` from ${(edges[bin] ?? "").padStart(margin)} ┤`, "dim"),
      span(bar(count / most, width), "blue"),
      ` ${count}`,
    ),
  );
}
