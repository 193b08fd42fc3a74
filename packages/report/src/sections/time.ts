import type { CollectiveCalls, TimeReport } from "@cobre/study";
import { rounded, withUnit } from "@cobre/study/numbers";
import { barsSvg, numberTicks, type Series } from "../charts/bars.js";
import { NARROW, WIDE } from "../charts/frame.js";
import { figureHtml, legendHtml } from "../page/figure.js";
import { tableHtml } from "../page/table.js";
import { percent } from "../words.js";
import { nothing, paragraph, type Section, type Source } from "./section.js";

export function timeSection({ report, summary }: Source): Section {
  const { time } = report;
  return {
    id: "time",
    name: "Time",
    title: "Where did the time go?",
    html:
      time === undefined || time.iteration.length === 0
        ? nothing("No training in this run, so no times of iterations.") + collectives(report)
        : `${lead(summary)}${iterations(time)}${ranks(time)}${collectives(report)}`,
  };
}

function lead({ time }: Source["summary"]): string {
  if (time === null) return "";
  const simulation =
    time.simulation_seconds === null
      ? ""
      : ` The simulation took ${withUnit(time.simulation_seconds * 1000, "ms", 3)}.`;
  const speed =
    time.lp_solves_per_second === null
      ? ""
      : `, ${rounded(Math.round(time.lp_solves_per_second))} a second`;
  return paragraph(
    `Training solved ${rounded(time.lp_solves)} programs${speed}. ${percent(time.forward_percent)} of its time went to forward passes, ${percent(time.backward_percent)} to the backward sweep, ${percent(time.lower_bound_percent)} to the bound.${simulation}`,
  );
}

function iterations(time: TimeReport): string {
  const title = "Time per iteration";
  const isSplit = time.waiting.every(Number.isFinite);
  const series: Series[] = [
    { name: "solving", style: "solving", values: time.solving },
    ...(isSplit
      ? [
          { name: "waiting for other ranks", style: "waiting", values: time.waiting },
          { name: "moving data", style: "moving", values: time.moving },
        ]
      : [
          {
            name: "in collectives, waiting included",
            style: "waiting",
            values: time.communication,
          },
        ]),
    { name: "rest", style: "rest", values: time.rest },
  ];
  const bars = {
    title,
    unit: "ms",
    series,
    count: time.iteration.length,
    ticks: numberTicks(time.iteration),
  };
  const note = isSplit
    ? ""
    : " Waiting is part of the time in collectives: only `cobre run … --report` measures it apart.";
  return figureHtml({
    id: "iteration-time",
    title,
    text: `Mean over the ranks, since the run was last resumed.${note}`,
    wide: barsSvg(WIDE, bars),
    narrow: barsSvg(NARROW, bars),
    legend: legendHtml(series),
    unit: "ms",
    table: {
      columns: [{ label: "iteration" }, ...series.map(({ name }) => ({ label: name, unit: "ms" }))],
      rows: Array.from(time.iteration, (number, i) => [
        String(number),
        ...series.map(({ values }) => values[i] as number),
      ]),
    },
  });
}

function ranks({ ranks: all }: TimeReport): string {
  const columns = [
    { label: "rank" },
    { label: "solving", unit: "ms" },
    { label: "in collectives", unit: "ms" },
    { label: "of it waiting", unit: "ms" },
    { label: "rest", unit: "ms" },
    { label: "programs", unit: "" },
  ];
  const rows = all.map((one) => [
    String(one.rank),
    ...[one.solving, one.communication, one.waiting, one.rest].map(
      (ms) => Math.round(ms * 10) / 10,
    ),
    one.lpSolves,
  ]);
  return `<h3 class="group">By rank</h3><div class="scroll">${tableHtml({ columns, rows }, "Sums over the iterations")}</div>`;
}

/** A row for each phase, rank and collective. */
function collectives({ collectives: calls }: Source["report"]): string {
  const title = '<h3 class="group">Collectives by rank</h3>';
  if (calls.length === 0) {
    return `${title}${paragraph("This run did not count them: it was made by a program that does not measure its communicator (COBRE_COMM_STATISTICS=1), or by an earlier version.")}`;
  }
  const columns = [
    { label: "phase" },
    { label: "rank" },
    { label: "collective" },
    { label: "calls", unit: "" },
    { label: "contributed", unit: "B" },
    { label: "time", unit: "ms" },
    { label: "of it waiting", unit: "ms" },
  ];
  const tenth = (ms: number) => Math.round(ms * 10) / 10;
  const rows = calls.map((one) => [
    one.phase,
    String(one.rank),
    one.collective,
    one.calls,
    one.bytes,
    tenth(one.ms),
    one.waiting_ms === null ? null : tenth(one.waiting_ms),
  ]);
  const table = tableHtml({ columns, rows }, "Calls of each rank");
  return `${title}${paragraph(collectivesText(calls))}<details class="numbers" data-name="collectives"${rows.length <= FEW_ROWS ? " open" : ""}><summary>Table</summary><div class="scroll">${table}</div></details>`;
}

/** So many rows of a table are shown at once. */
const FEW_ROWS = 24;

function collectivesText(calls: readonly CollectiveCalls[]): string {
  const ranks = new Set(calls.map(({ rank }) => rank)).size;
  const sum = (of: (one: CollectiveCalls) => number) =>
    calls.reduce((all, one) => all + of(one), 0);
  const ms = sum((one) => one.ms);
  const waiting = calls.some((one) => one.waiting_ms === null)
    ? ""
    : `, ${percent((100 * sum((one) => one.waiting_ms ?? 0)) / Math.max(ms, 1e-9))} of it waiting for others`;
  return `A rank called ${rounded(Math.round(sum((one) => one.calls) / ranks))} collectives on average, to which it contributed ${withUnit(sum((one) => one.bytes) / ranks, "B", 3)}; they took ${withUnit(ms / ranks, "ms", 3)}${waiting}. A fence is where ranks meet that share memory.`;
}
