import type { SimulationReport } from "@cobre/study";
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

export function pricesSection(source: Source): Section {
  const { simulation } = source.report;
  return {
    id: "prices",
    name: "Prices",
    title: "What does power cost where?",
    html: simulation === undefined ? nothing(NO_SIMULATION) : contents(source, simulation),
  };
}

export function exchangesSection(source: Source): Section {
  const { simulation } = source.report;
  return {
    id: "exchanges",
    name: "Exchanges",
    title: "What flows between the buses?",
    html: simulation === undefined ? nothing(NO_SIMULATION) : exchanges(source, simulation),
  };
}

function contents(source: Source, simulation: SimulationReport): string {
  const { buses, blocks, prices } = simulation.buses;
  source.cubes.set("prices", prices);
  const bands = prices.bands();
  const figures = buses.flatMap(({ id, name }, bus) =>
    blocks.map((block, b) =>
      ribbonFigure({
        id: idOf("price", id, block),
        title: withBlock(simulation, name, block),
        unit: "$/MWh",
        stages: simulation.stages,
        bands,
        cube: "prices",
        item: bus * blocks.length + b,
        fromZero: true,
        style: "price",
      }),
    ),
  );
  return `${paragraph("Spot price of each bus and block: what one more MWh of load there would cost.")}${ribbonLegend("price")}${smallMultiples(figures, "bus")}`;
}

function exchanges(source: Source, simulation: SimulationReport): string {
  const { lines, blocks, flows, minFlow, maxFlow } = simulation.lines;
  if (lines.length === 0) return nothing("This case has no lines.");
  source.cubes.set("flows", flows);
  const bands = flows.bands();
  const count = simulation.stages.length;
  const figures = lines.flatMap(({ id, name }, line) =>
    blocks.map((block, b) =>
      ribbonFigure({
        id: idOf("flow", id, block),
        title: withBlock(simulation, name, block),
        unit: "MW",
        stages: simulation.stages,
        bands,
        cube: "flows",
        item: line * blocks.length + b,
        limits: [
          { name: "limit backwards", values: minFlow.subarray(line * count, (line + 1) * count) },
          { name: "limit", values: maxFlow.subarray(line * count, (line + 1) * count) },
        ],
        fromZero: true,
        style: "flow",
      }),
    ),
  );
  return `${paragraph("Flow over each line: positive from its source to its target bus, negative back. Where a ribbon lies on a limit, the line holds something up.")}${ribbonLegend("flow", "limits")}${smallMultiples(figures, "line")}`;
}

/** With one block, its name says nothing. */
function withBlock({ stages, buses }: SimulationReport, name: string, block: number): string {
  if (buses.blocks.length < 2) return name;
  const entry = stages.flatMap(({ blocks }) => blocks).find(({ id }) => id === block);
  return `${name}, ${entry?.name ?? `block ${block}`}`;
}
