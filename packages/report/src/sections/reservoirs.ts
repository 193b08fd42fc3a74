import type { SimulationReport } from "@cobre/study";
import { withUnit } from "@cobre/study/numbers";
import { idOf } from "../page/html.js";
import { ribbonFigure, ribbonLegend } from "./ribbon-figure.js";
import {
  NO_SIMULATION,
  nothing,
  paragraph,
  type Section,
  type Source,
  smallMultiples,
} from "./section.js";

export function reservoirsSection(source: Source): Section {
  const { simulation } = source.report;
  return {
    id: "reservoirs",
    name: "Reservoirs",
    title: "How full are the reservoirs?",
    html: simulation === undefined ? nothing(NO_SIMULATION) : contents(source, simulation),
  };
}

/** The plants of a report that can store water, the largest first, as the summary has them. */
export function reservoirPlants({ summary, report }: Source) {
  const plants = report.simulation?.hydros.plants ?? [];
  return summary.reservoirs.map((reservoir) => ({
    reservoir,
    plant: plants.findIndex(({ id }) => id === reservoir.id),
  }));
}

function contents(source: Source, { hydros, stages }: SimulationReport): string {
  const all = reservoirPlants(source);
  if (all.length === 0) return nothing("No plant of this case can store water.");
  source.cubes.set("storage", hydros.storage);
  const bands = hydros.storage.bands();
  const figures = all.map(({ reservoir, plant }) => {
    const of = (limits: Float64Array) =>
      limits.subarray(plant * stages.length, (plant + 1) * stages.length);
    const often = [
      reservoir.empty_percent > 0 && `empty in ${often100(reservoir.empty_percent)}`,
      reservoir.full_percent > 0 && `full in ${often100(reservoir.full_percent)}`,
    ].filter((one) => typeof one === "string");
    const spilled =
      reservoir.spilled_hm3 !== null && reservoir.spilled_hm3 > 0
        ? `; spills ${withUnit(reservoir.spilled_hm3, "hm³", 3)}`
        : "";
    return ribbonFigure({
      id: idOf("storage", reservoir.id),
      title: reservoir.name,
      text: often.length === 0 ? `never empty or full${spilled}` : `${often.join(", ")}${spilled}`,
      unit: "hm³",
      stages,
      bands,
      cube: "storage",
      item: plant,
      initial: hydros.initialStorage[plant] as number,
      limits: [
        { name: "minimum", values: of(hydros.minStorage) },
        { name: "maximum", values: of(hydros.maxStorage) },
      ],
      fromZero: true,
      style: "hydro",
    });
  });
  return `${paragraph("Storage at the end of each stage, over all scenarios; the largest reservoir first. Choose a scenario above, or click into a chart to choose the one that is nearest.")}${ribbonLegend("hydro", "minimum and maximum")}${smallMultiples(figures, "reservoir")}`;
}

function often100(percent: number): string {
  const text = percent < 1 ? "less than 1" : String(Math.round(percent));
  return `${text} % of the stages`;
}
