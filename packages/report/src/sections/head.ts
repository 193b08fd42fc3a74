import { rounded, withUnit } from "@cobre/study/numbers";
import { escapeHtml, withCode } from "../page/html.js";
import { percent } from "../words.js";
import type { Source } from "./section.js";

/** The name of the case, the verdict, the numbers that everybody asks for, and the warnings. */
export function headHtml({ report, summary }: Source): string {
  const made = report.run.training ?? report.run.simulation;
  const name = summary.case.name ?? report.run.directory;
  const facts = [
    made && `${made.ranks} × ${made.backend}`,
    made && `${made.solver} ${made.solverVersion}`,
    summary.seed !== null && `seed ${summary.seed}`,
    made && `${made.startedAt.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    `cobre ${summary.version}`,
  ].filter((fact) => typeof fact === "string");
  return `<header><h1>${escapeHtml(name)}</h1><p class="facts">${facts.map((fact) => `<span>${escapeHtml(fact)}</span>`).join(" · ")}</p><p class="verdict">${withCode(report.verdict)}</p>${tiles(report, summary)}</header>${warnings(report)}`;
}

function tiles(report: Source["report"], { costs, lower_bound: bound }: Source["summary"]): string {
  const deficit = report.simulation && deficitShare(report.simulation);
  const all = [
    bound !== null && tile("lower bound", withUnit(bound, "$"), "no policy costs less on average"),
    costs && tile("simulated mean", withUnit(costs.mean, "$"), certainty(costs)),
    costs &&
      tile(
        "worst 5 %",
        withUnit(costs.cvar95, "$"),
        "mean of the most expensive 5 % of the scenarios",
      ),
    deficit &&
      tile(
        "deficit",
        deficit.scenarios === 0 ? "none" : percent(deficit.percent),
        `of the load, in ${deficit.scenarios} of ${deficit.of} scenarios`,
      ),
  ].filter((one) => typeof one === "string");
  return `<div class="tiles">${all.join("")}</div>`;
}

function certainty({ ci95, count, isExact }: NonNullable<Source["summary"]["costs"]>): string {
  if (isExact) return `the cost of the policy: all ${rounded(count)} paths`;
  if (ci95 === null) return "one scenario: no interval";
  return `± ${withUnit(ci95, "$", 3)} (95 %), ${rounded(count)} scenarios`;
}

function tile(name: string, value: string, note: string): string {
  return `<div class="tile"><span>${name}</span><strong>${escapeHtml(value)}</strong><small>${escapeHtml(note)}</small></div>`;
}

/** How much of the load is not met, and in how many scenarios. */
function deficitShare({
  buses,
  scenarios,
  probabilities,
}: NonNullable<Source["report"]["simulation"]>) {
  const { load, deficit } = buses;
  const short = new Set<number>();
  let [missing, wanted] = [0, 0];
  deficit.values.forEach((value, i) => {
    const weight = probabilities?.[i % deficit.scenarios] ?? 1;
    missing += weight * value;
    wanted += weight * (load.values[i] as number);
    if (value > 1e-6) short.add(i % deficit.scenarios);
  });
  const share = wanted > 0 ? (100 * missing) / wanted : 0;
  return { percent: share, scenarios: short.size, of: scenarios.length };
}

function warnings({ warnings: all }: Source["report"]): string {
  if (all.length === 0) return "";
  const items = all.map(
    ({ text, remedy }) =>
      `<li><strong>${withCode(text)}</strong>${remedy ? ` <span>${withCode(remedy)}</span>` : ""}</li>`,
  );
  return `<section id="warnings" class="warnings" aria-label="Warnings"><h2>${all.length === 1 ? "One thing" : `${all.length} things`} to mind</h2><ul>${items.join("")}</ul></section>`;
}
