import type { Source } from "../sections/section.js";
import { chooseScenarios, packCube } from "./cubes.js";
import { escapeHtml } from "./html.js";

/** The values that the script draws from: a JSON header, and the cubes in base64. Nothing if nothing was simulated and no cuts are known. */
export function dataHtml({ report, cubes, data }: Source): string {
  const { simulation } = report;
  const parts: string[] = [];
  const header: Record<string, unknown> = Object.fromEntries(data);
  if (simulation !== undefined) {
    const { total } = simulation.costs;
    const scenarios = chooseScenarios(total, [...cubes.values()]);
    header.scenarios = scenarios.chosen.map((s) => simulation.scenarios[s]);
    header.totals = scenarios.chosen.map((s) => total[s]);
    header.ranks = ranksOf(total, scenarios.chosen);
    header.count = total.length;
    for (const [name, cube] of cubes) {
      const packed = packCube(name, cube, scenarios);
      parts.push(
        `<script type="text/plain" data-cube="${escapeHtml(name)}" data-items="${packed.items}" data-stages="${packed.stages}">${packed.base64}</script>\n`,
      );
    }
  }
  const json = JSON.stringify(header).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="data">${json}</script>\n${parts.join("")}`;
}

/** The place of each chosen scenario among all, by cost, from 1. */
function ranksOf(total: Float64Array, chosen: readonly number[]): number[] {
  const order = Array.from(total.keys()).sort(
    (a, b) => (total[a] as number) - (total[b] as number),
  );
  const places = new Map(order.map((scenario, place) => [scenario, place + 1]));
  return chosen.map((scenario) => places.get(scenario) as number);
}
