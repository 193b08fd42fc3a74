import type { Report, ReportSummary } from "@cobre/study";
import { withUnit } from "@cobre/study/numbers";
import { chart } from "./chart.js";
import { energy, exactMoney, money, share, whole } from "./numbers.js";
import { contractLines, pumpLines, sourceLines } from "./other-plants-text.js";
import { bar, type Page, styled, table, wrapped } from "./page.js";

/** How many of the most expensive stages and plants, and of the largest reservoirs, are listed. */
const LISTED = { stages: 5, plants: 5, reservoirs: 10 };
const CHART_ROWS = 10;

/** The report for people: what happened, whether to trust it, what it costs and why, where the time went. */
export function reportText(page: Page, report: Report, summary: ReportSummary): string {
  const sections = [
    heading(page, summary, report),
    warningLines(page, summary),
    section(page, "Bounds and costs", costLines(page, report, summary)),
    section(page, "Convergence", convergenceLines(page, report)),
    section(page, "Cost by kind", kindLines(page, summary)),
    section(page, "Most expensive stages", stageLines(page, summary)),
    section(page, "Most expensive plants", plantLines(page, summary)),
    section(page, "Most curtailed sources", sourceLines(page, summary)),
    section(page, "Pumps", pumpLines(page, summary)),
    section(page, "Contracts", contractLines(page, summary)),
    section(page, "Reservoirs", reservoirLines(page, summary)),
    section(page, "Time", timeLines(page, summary, report)),
    section(page, "Collectives", collectiveLines(page, summary)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function section(page: Page, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [styled(page, "bold", title), ...lines];
}

function heading(page: Page, summary: ReportSummary, { run }: Report): string[] {
  const made = run.training ?? run.simulation;
  const when = made?.completedAt.toISOString().slice(0, 16).replace("T", " ");
  const facts = [
    `${summary.ranks} × ${summary.backend}`,
    `${summary.solver} ${made?.solverVersion ?? ""}`.trim(),
    ...(summary.seed === null ? [] : [`seed ${summary.seed}`]),
    `${when} UTC`,
    `cobre ${summary.version}`,
  ];
  return [
    styled(page, "bold", summary.case.name ?? run.directory),
    ...wrapped(page, facts.join(" · ")).map((line) => styled(page, "dim", line)),
    ...(summary.command === null
      ? []
      : wrapped(page, summary.command, "$ ").map((line) => styled(page, "dim", line))),
    "",
    ...wrapped(page, summary.verdict),
  ];
}

function warningLines(page: Page, { warnings }: ReportSummary): string[] {
  return warnings.flatMap(({ text, remedy }) => [
    ...wrapped(page, text, "! ").map((line) => styled(page, "yellow", line)),
    ...wrapped(page, remedy, "  → "),
  ]);
}

/** Every number with what it is. A mean of a sample is never called a bound. */
function costLines(page: Page, { run, convergence }: Report, summary: ReportSummary): string[] {
  const { training } = run;
  const rows: [name: string, value: string, meaning: string][] = [];
  const sampled = (mean: number, half: number | null) =>
    `${exactMoney(mean)}${half === null ? "" : ` ± ${money(half)}`}`;
  if (training !== undefined) {
    rows.push(["lower bound", exactMoney(training.lowerBound), boundMeaning(run)]);
  }
  if (summary.costs !== null) {
    const { mean, ci95, count, median, p5, p95, cvar95, isExact = false } = summary.costs;
    const meaning = isExact
      ? `what the policy costs: all ${count} paths by their probabilities`
      : `what the policy costs: ${count} scenarios, 95 % confidence`;
    rows.push(["simulated mean", sampled(mean, ci95), meaning]);
    const [half, most, worst] = isExact
      ? ["not exceeded with a probability of 50 %", "with a probability of 90 %", "5 %"]
      : ["half of the scenarios cost less", "90 % of the scenarios", "scenarios"];
    rows.push(["  median", money(median), half]);
    rows.push(["  usually", `${money(p5)} to ${money(p95)}`, most]);
    rows.push(["  worst 5 %", money(cvar95), `mean of the most expensive ${worst}`]);
  }
  const recent = convergence?.recent;
  const forward = training?.forward;
  if (forward?.isExact) {
    const meaning =
      "of the last iteration, over all paths: the optimum lies between it and the bound";
    rows.push(["policy cost", exactMoney(forward.mean), meaning]);
  }
  if (recent) {
    rows.push([
      "forward mean",
      sampled(recent.mean, recent.ci95),
      `${recent.passes} forward passes of the last ${recent.iterations} iterations: a sample, not a bound`,
    ]);
  }
  const [names, values] = [0, 1].map((i) => Math.max(0, ...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.flatMap(([name, value, meaning]) => {
    const told = `  ${name.padEnd(names ?? 0)}  ${value.padEnd(values ?? 0)}  `;
    const isNarrow = page.width - told.length < 30;
    const first = isNarrow ? "      " : told;
    const [one = "", ...more] = wrapped(page, meaning, first);
    return [
      ...(isNarrow ? [told.trimEnd()] : []),
      first + styled(page, "dim", one.slice(first.length)),
      ...more.map((line) => styled(page, "dim", line)),
    ];
  });
  return [...lines, ...gapLines(page, run, summary)];
}

function boundMeaning({ training, isRiskNeutral }: Report["run"]): string {
  if (training?.lowerBoundCaveats.includes("foreign_cuts")) return "an estimate, see above";
  return isRiskNeutral
    ? "no policy costs less on average"
    : "of the risk-adjusted cost: a mean cannot be compared with it";
}

/** How much better the best policy could be. */
function gapLines(page: Page, run: Report["run"], { costs }: ReportSummary): string[] {
  const bound = run.training?.lowerBound;
  if (!run.isRiskNeutral || bound === undefined || costs === null || bound <= 0) return [];
  if ((run.training?.lowerBoundCaveats.length ?? 0) > 0) return [];
  const above = (cost: number) => Math.max(0, (100 * (cost - bound)) / bound);
  const { mean, ci95 } = costs;
  const range =
    ci95 === null
      ? ""
      : ` (${share(above(mean - ci95))} to ${share(above(mean + ci95))} with 95 % confidence)`;
  return wrapped(page, `The policy costs ${share(above(mean))} more than the bound${range}.`, "  ");
}

function convergenceLines(page: Page, { convergence, simulation }: Report): string[] {
  if (convergence === undefined || convergence.iteration.length < 2) return [];
  const { iteration, lowerBound, forwardMean } = convergence;
  const lines = chart(page, {
    x: iteration,
    line: lowerBound,
    points: forwardMean,
    level: simulation?.costs.distribution.mean,
    rows: CHART_ROWS,
    label: money,
  });
  const level = simulation ? "   ┄ simulated mean" : "";
  const key = `─ lower bound${level}   · mean cost of an iteration's forward passes (^ v: beyond the axis)`;
  return [...lines, ...wrapped(page, key, "  ").map((line) => styled(page, "dim", line))];
}

function kindLines(page: Page, { costs }: ReportSummary): string[] {
  if (costs === null) return ["  no simulation in this run"];
  const all = Object.values(costs.by_kind).reduce((sum, cost) => sum + cost, 0);
  // A solver leaves traces of what is not used.
  const kinds = Object.entries(costs.by_kind).filter(([, cost]) => Math.abs(cost) > 1e-9 * all);
  return table(page, [
    {
      title: "",
      cells: kinds.map(([kind]) => kind.replaceAll("_", " ")),
      isLeft: true,
      need: "needed",
    },
    { title: "", cells: kinds.map(([, cost]) => money(cost)), need: "needed" },
    { title: "", cells: kinds.map(([, cost]) => share((100 * cost) / all)) },
    { title: "", cells: kinds.map(([, cost]) => bar(cost / all, 30)), isLeft: true, style: "blue" },
  ]);
}

function stageLines(page: Page, { stages }: ReportSummary): string[] {
  const total = stages.reduce((sum, { cost }) => sum + cost, 0);
  if (total === 0) return [];
  const top = [...stages].sort((a, b) => b.cost - a.cost).slice(0, LISTED.stages);
  const most = top[0]?.cost ?? 1;
  const part = (mwh: number, load: number) => share((100 * mwh) / load);
  const deficit = top.map((one) => part(one.deficit_mwh, one.load_mwh));
  return table(page, [
    { title: "stage", cells: top.map(({ stage_id }) => String(stage_id)), need: "needed" },
    {
      title: "from",
      need: "spare",
      cells: top.map(({ start_date }) => start_date ?? ""),
      isLeft: true,
    },
    { title: "cost", cells: top.map(({ cost }) => money(cost)), need: "needed" },
    { title: "load", need: "spare", cells: top.map(({ load_mwh }) => energy(load_mwh)) },
    { title: "hydro", need: "spare", cells: top.map((one) => part(one.hydro_mwh, one.load_mwh)) },
    { title: "thermal", cells: top.map((one) => part(one.thermal_mwh, one.load_mwh)) },
    { title: "deficit", cells: deficit, style: "red" },
    {
      title: "",
      cells: top.map(({ cost }) => bar(cost / most, 20)),
      isLeft: true,
      need: "spare",
      style: "blue",
    },
  ]);
}

function plantLines(page: Page, { thermals }: ReportSummary): string[] {
  const top = thermals.filter(({ cost }) => cost > 0).slice(0, LISTED.plants);
  const most = top[0]?.cost ?? 1;
  if (top.length === 0) return [];
  return table(page, [
    { title: "plant", cells: top.map(({ name }) => name), isLeft: true, need: "needed" },
    { title: "cost", cells: top.map(({ cost }) => money(cost)), need: "needed" },
    { title: "energy", need: "spare", cells: top.map(({ energy_mwh }) => energy(energy_mwh)) },
    { title: "$/MWh", cells: top.map(({ cost, energy_mwh }) => whole(cost / energy_mwh)) },
    { title: "", cells: top.map(({ cost }) => bar(cost / most, 20)), isLeft: true, style: "blue" },
  ]);
}

function reservoirLines(page: Page, { reservoirs }: ReportSummary): string[] {
  if (reservoirs.length === 0) return [];
  const shown = reservoirs.slice(0, LISTED.reservoirs);
  /** How full it is, between its minimum and its maximum. */
  const level = (one: (typeof shown)[number], hm3: number) => {
    if (one.min_hm3 === null || one.max_hm3 === null) return `${whole(hm3)} hm³`;
    return `${Math.round((100 * (hm3 - one.min_hm3)) / (one.max_hm3 - one.min_hm3))} %`;
  };
  const cells = (cell: (one: (typeof shown)[number]) => string) => shown.map(cell);
  const lines = table(page, [
    { title: "reservoir", cells: cells(({ name }) => name), isLeft: true, need: "needed" },
    {
      title: "useful hm³",
      cells: cells(({ min_hm3, max_hm3 }) =>
        max_hm3 === null ? "-" : whole(max_hm3 - (min_hm3 ?? 0)),
      ),
    },
    { title: "start", cells: cells((one) => level(one, one.initial_hm3)), need: "needed" },
    { title: "end", cells: cells((one) => level(one, one.final_hm3)), need: "needed" },
    { title: "lowest", cells: cells((one) => level(one, one.lowest.storage_hm3)) },
    { title: "in stage", need: "spare", cells: cells(({ lowest }) => String(lowest.stage_id)) },
    { title: "empty", cells: cells(({ empty_percent }) => share(empty_percent)) },
    { title: "highest", cells: cells((one) => level(one, one.highest.storage_hm3)) },
    { title: "in stage", need: "spare", cells: cells(({ highest }) => String(highest.stage_id)) },
    { title: "full", cells: cells(({ full_percent }) => share(full_percent)) },
    {
      title: "water $/MWh",
      cells: cells(({ water_value_per_mwh: value }) => (value === null ? "-" : whole(value))),
    },
  ]);
  const more = reservoirs.length - shown.length;
  const key =
    "end: median; lowest: by the 10th percentile; highest: by the 90th; empty, full: share of the stages that end so; water: its value in the first stage";
  return [
    ...lines,
    ...(more > 0 ? [`  … and ${more} more: --json has them all`] : []),
    ...wrapped(page, key, "  ").map((line) => styled(page, "dim", line)),
  ];
}

function timeLines(page: Page, { time, ranks }: ReportSummary, report: Report): string[] {
  if (time === null) {
    const solves = report.numerics.simulation?.solves ?? 0;
    return [
      `  simulation ${seconds(report.run.simulation?.seconds ?? null)} · ${whole(solves)} programs`,
    ];
  }
  const parts: readonly (readonly [string, number])[] = [
    ["in the solver", time.solving_percent],
    ...((ranks ?? 1) > 1 ? [["waiting and moving", time.communication_percent] as const] : []),
    ["the rest", time.rest_percent],
  ];
  const speed = time.lp_solves_per_second;
  const facts = [
    `training ${seconds(time.training_seconds)}`,
    ...(time.simulation_seconds === null ? [] : [`simulation ${seconds(time.simulation_seconds)}`]),
    `${whole(time.lp_solves)} programs${speed === null ? "" : `, ${whole(speed)} a second`}`,
    `forward ${share(time.forward_percent)}, backward ${share(time.backward_percent)}, bound ${share(time.lower_bound_percent)}`,
  ];
  const busiest = time.ranks.map(({ solving_percent }) => solving_percent);
  const spread = `ranks are in the solver ${share(Math.min(...busiest))} to ${share(Math.max(...busiest))} of their time`;
  return [
    ...wrapped(page, facts.join(" · "), "  "),
    ...table(page, [
      { title: "", cells: parts.map(([name]) => name), isLeft: true, need: "needed" },
      { title: "", cells: parts.map(([, percent]) => share(percent)), need: "needed" },
      {
        title: "",
        cells: parts.map(([, percent]) => bar(percent / 100, 30)),
        isLeft: true,
        style: "blue",
      },
    ]),
    ...(busiest.length > 1 ? wrapped(page, spread, "  ") : []),
  ];
}

/** What ranks called, as means over the ranks. One process alone waits for nobody. */
function collectiveLines(page: Page, { collectives, ranks }: ReportSummary): string[] {
  if (collectives.length === 0 || (ranks ?? 1) < 2) return [];
  const keys = [...new Set(collectives.map(({ phase, collective }) => `${phase} ${collective}`))];
  const rows = keys.map((key) => {
    const of = collectives.filter(({ phase, collective }) => `${phase} ${collective}` === key);
    const mean = (field: "calls" | "bytes" | "ms") =>
      of.reduce((sum, one) => sum + one[field], 0) / of.length;
    const longest = of.reduce((a, b) => (b.ms > a.ms ? b : a));
    const waiting = of.reduce((sum, one) => sum + (one.waiting_ms ?? Number.NaN), 0) / of.length;
    const [phase = "", collective = ""] = key.split(" ");
    return { phase, collective, mean, longest, waiting };
  });
  const cells = (cell: (row: (typeof rows)[number]) => string) => rows.map(cell);
  const time = (ms: number) => withUnit(ms, "ms", 3);
  return [
    ...table(page, [
      { title: "phase", cells: cells(({ phase }) => phase), isLeft: true, need: "needed" },
      { title: "call", cells: cells((row) => row.collective), isLeft: true, need: "needed" },
      { title: "calls", cells: cells(({ mean }) => whole(mean("calls"))), need: "needed" },
      { title: "bytes", cells: cells(({ mean }) => withUnit(mean("bytes"), "B", 3)) },
      { title: "time", cells: cells(({ mean }) => time(mean("ms"))), need: "needed" },
      { title: "waiting", cells: cells(({ waiting }) => time(waiting)) },
      {
        title: "longest",
        need: "spare",
        cells: cells(({ longest }) => `${time(longest.ms)}, rank ${longest.rank}`),
      },
    ]),
    ...wrapped(page, "means over the ranks; --json and --html have every rank", "  ").map((line) =>
      styled(page, "dim", line),
    ),
  ];
}

function seconds(value: number | null): string {
  return value === null ? "-" : `${value < 10 ? value.toFixed(1) : whole(value)} s`;
}
