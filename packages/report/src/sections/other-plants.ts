import type { Cube, Entity, SimulationReport } from "@cobre/study";
import { idOf } from "../page/html.js";
import { type Cell, type Column, tableHtml } from "../page/table.js";
import { ribbonFigure, ribbonLegend } from "./ribbon-figure.js";
import { paragraph, type Section, type Source, smallMultiples } from "./section.js";

/** Non-controllable sources, pumps and contracts; nothing for a case without any of them. */
export function otherPlantsSection(source: Source): Section | undefined {
  const { simulation } = source.report;
  if (simulation === undefined) return undefined;
  const parts = [
    sourcesPart(source, simulation),
    pumpsPart(source, simulation),
    contractsPart(source, simulation),
  ].filter((part) => part !== "");
  if (parts.length === 0) return undefined;
  return {
    id: "other-plants",
    name: "Sources and contracts",
    title: "What do sources, pumps and contracts do?",
    html: parts.join(""),
  };
}

function sourcesPart(source: Source, simulation: SimulationReport): string {
  const { sources, curtailed } = simulation.sources;
  if (sources.length === 0) return "";
  const rows = source.summary.sources.map((one): Cell[] => [
    one.name,
    one.available_mwh,
    one.energy_mwh,
    one.curtailed_mwh,
    one.curtailed_percent,
  ]);
  const columns: Column[] = [
    { label: "source" },
    { label: "available", unit: "MWh" },
    { label: "used", unit: "MWh" },
    { label: "curtailed", unit: "MWh" },
    { label: "curtailed", unit: "%" },
  ];
  return part(source, simulation, {
    title: "Curtailment of sources",
    text: "Energy that was available and not used: there was no load for it, or no line.",
    caption: "Non-controllable sources: means of the whole study, to four digits",
    columns,
    rows,
    entities: sources,
    cube: curtailed,
    name: "curtailed",
    unit: "MWh",
    style: "source",
  });
}

function pumpsPart(source: Source, simulation: SimulationReport): string {
  const { stations, volume } = simulation.pumps;
  if (stations.length === 0) return "";
  const rows = source.summary.pumps.map((one): Cell[] => [
    one.name,
    one.volume_hm3,
    one.energy_mwh,
  ]);
  const columns: Column[] = [
    { label: "station" },
    { label: "pumped", unit: "hm³" },
    { label: "energy taken", unit: "MWh" },
  ];
  return part(source, simulation, {
    title: "Pumped water",
    text: "What each station pumps from one reservoir to another.",
    caption: "Pumping stations: means of the whole study, to four digits",
    columns,
    rows,
    entities: stations,
    cube: volume,
    name: "pumped",
    unit: "hm³",
    style: "water",
  });
}

function contractsPart(source: Source, simulation: SimulationReport): string {
  const { contracts, energy } = simulation.contracts;
  if (contracts.length === 0) return "";
  const rows = source.summary.contracts.map((one): Cell[] => [
    `${one.name} (${one.type})`,
    one.energy_mwh,
    one.cost,
  ]);
  const columns: Column[] = [
    { label: "contract" },
    { label: "energy", unit: "MWh" },
    { label: "cost", unit: "$" },
  ];
  return part(source, simulation, {
    title: "Energy of contracts",
    text: "What is bought or sold. A negative cost is a revenue.",
    caption: "Contracts: means of the whole study, not discounted, to four digits",
    columns,
    rows,
    entities: contracts,
    cube: energy,
    name: "contract",
    unit: "MWh",
    style: "import",
  });
}

interface Part {
  readonly title: string;
  readonly text: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Cell[][];
  readonly entities: readonly Entity[];
  readonly cube: Cube;
  /** Of the cube, and of the figures. */
  readonly name: string;
  readonly unit: string;
  readonly style: string;
}

/** A table of sums, and a ribbon for each entity. */
function part(source: Source, { stages }: SimulationReport, one: Part): string {
  const { title, text, caption, columns, rows, entities, cube, name, unit, style } = one;
  source.cubes.set(name, cube);
  const bands = cube.bands();
  const figures = entities.map((entity, item) =>
    ribbonFigure({
      id: idOf(name, entity.id),
      title: entity.name,
      unit,
      stages,
      bands,
      cube: name,
      item,
      fromZero: true,
      style,
    }),
  );
  return `<h3 class="group">${title}</h3>${paragraph(text)}<div class="scroll">${tableHtml({ columns, rows: rows.map((row) => row.map(short)) }, caption)}</div>${ribbonLegend(style)}${smallMultiples(figures, name)}`;
}

/** Figures below have every digit. */
function short(cell: Cell): Cell {
  return typeof cell === "number" ? Number(cell.toPrecision(4)) : cell;
}
