import type { SimulationReport, ValueReport } from "@cobre/study";
import { rounded, withUnit } from "@cobre/study/numbers";
import { SMALL } from "../charts/frame.js";
import { stageName } from "../charts/stage-labels.js";
import { curveOf, valueFunctionSvg } from "../charts/value-function.js";
import { figureHtml, legendHtml } from "../page/figure.js";
import { escapeHtml, idOf } from "../page/html.js";
import { cutsText } from "../words.js";
import { reservoirPlants } from "./reservoirs.js";
import { ribbonFigure, ribbonLegend } from "./ribbon-figure.js";
import {
  NO_SIMULATION,
  nothing,
  paragraph,
  type Section,
  type Source,
  smallMultiples,
} from "./section.js";

export function waterValuesSection(source: Source): Section {
  const { simulation, values } = source.report;
  return {
    id: "water-values",
    name: "Water values",
    title: "What is water worth?",
    html: `${simulation === undefined ? nothing(NO_SIMULATION) : waterValues(source, simulation)}<h3 class="group">The value function</h3>${
      values === undefined || values.reservoirs.length === 0
        ? nothing(
            "No cuts to draw: this run has no policy of its own, or no plant can store water.",
          )
        : valueFunctions(source, values)
    }`,
  };
}

function waterValues(source: Source, { hydros, stages }: SimulationReport): string {
  const all = reservoirPlants(source);
  if (all.length === 0) return nothing("No plant of this case can store water.");
  source.cubes.set("water", hydros.waterValue);
  const bands = hydros.waterValue.bands();
  const { levels, values } = bands;
  const figures = all.map(({ reservoir, plant }) => {
    const mwh = hydros.mwhPerHm3[plant] as number;
    const medians = stages.map(
      (_, t) => values[(plant * stages.length + t) * levels.length + levels.indexOf(50)] as number,
    );
    const first = reservoir.water_value_per_mwh;
    return ribbonFigure({
      id: idOf("water", reservoir.id),
      title: reservoir.name,
      text: Number.isFinite(mwh)
        ? `1 hm³ gives ${rounded(mwh, 3)} MWh${first === null ? "" : `; in the first stage ${withUnit(first, "$/MWh", 3)}`}`
        : "The energy of its water is not constant.",
      unit: "$/hm³",
      stages,
      bands,
      cube: "water",
      item: plant,
      fromZero: true,
      style: "water",
      more: Number.isFinite(mwh)
        ? [
            {
              column: { label: "median", unit: "$/MWh" },
              values: medians.map((value) => value / mwh),
            },
          ]
        : [],
    });
  });
  return `${paragraph("What one more hm³ at the start of the stage would save from then on: positive where water is useful, 0 where it would be spilled. The median in $/MWh, by the energy of the plant’s own turbines, is in the tables.")}${ribbonLegend("water")}${smallMultiples(figures, "reservoir")}`;
}

function valueFunctions(source: Source, report: ValueReport): string {
  const { stages, reservoirs, functions } = report;
  const curves = functions.map((ofReservoir) => ofReservoir.map(curveOf));
  source.data.set("values", {
    stages: stages.map(stageName),
    curves,
  });
  const figures = reservoirs.map(({ id, name }, r) => {
    const curve = (curves[r] as (typeof curves)[number])[0] as ReturnType<typeof curveOf>;
    const { x, y, slopes, cuts } = curve;
    return figureHtml({
      id: idOf("value", id),
      title: name,
      text: cutsText(slopes.length, cuts),
      wide: valueFunctionSvg(SMALL, `Value function along ${name}`, curve),
      isSmall: true,
      unit: "$",
      table: {
        columns: [
          { label: "cut" },
          { label: "from", unit: "hm³" },
          { label: "to", unit: "hm³" },
          { label: "cost there", unit: "$" },
          { label: "slope", unit: "$/hm³" },
        ],
        rows: slopes.map((slope, cut) => [
          String(cut + 1),
          x[cut] as number,
          x[cut + 1] as number,
          y[cut] as number,
          slope,
        ]),
      },
    }).replace("<figure ", `<figure data-reservoir="${r}" `);
  });
  const last = stages.length - 1;
  const slider = `<p class="switch live"><label>Stage <input type="range" min="0" max="${last}" value="0" data-value-stage></label> <output>${escapeHtml(stageName(stages[0] as ValueReport["stages"][number]))}</output></p>`;
  const first = escapeHtml(stageName(stages[0] as ValueReport["stages"][number]));
  return `<p class="lead">Expected cost of all later stages, by the storage of one reservoir at the end of <span data-stage-name>${first}</span>. The thin lines are the cuts; the value function is the highest of them, and its slope is the water value with its sign turned. Everything else stays at the mean state that the last forward passes visited, which the dotted line marks.</p>${slider}${legendHtml(
    [
      { name: "value function", style: "value", isLine: true },
      { name: "cuts", style: "cuts", isLine: true },
      { name: "visited", style: "visited", isLine: true },
    ],
  )}${smallMultiples(figures, "reservoir")}`;
}
