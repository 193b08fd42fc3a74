import type { Cube, Entity, SimulationReport } from "@cobre/study";
import { barsSvg, type Series } from "../charts/bars.js";
import { NARROW, type Size, SMALL, WIDE } from "../charts/frame.js";
import { stageName, stageTicks } from "../charts/stage-labels.js";
import { figureHtml, legendHtml } from "../page/figure.js";
import { escapeHtml, idOf } from "../page/html.js";
import {
  NO_SIMULATION,
  nothing,
  paragraph,
  type Section,
  type Source,
  smallMultiples,
} from "./section.js";
import { type PowerBySource, powerBySource } from "./sources.js";

export function generationSection(source: Source): Section {
  const { simulation } = source.report;
  return {
    id: "generation",
    name: "Generation",
    title: "Where does the power come from?",
    html: simulation === undefined ? nothing(NO_SIMULATION) : contents(source, simulation),
  };
}

function contents(source: Source, simulation: SimulationReport): string {
  const power = powerBySource(simulation);
  const means = power.cube.means();
  const kept = new KeptItems(power.cube);
  const { buses } = simulation.buses;
  const system = placeFigure(simulation, power, means, kept, {
    place: 0,
    id: "generation-all",
    title: "Generation by source and stage",
    controls: buses.length < 2 ? "" : busSwitch(buses),
    text: "Mean over the scenarios. Bars are stacked in the order of cost; what is missing to the load is deficit.",
  });
  const figures = buses.map(({ id, name }, bus) =>
    placeFigure(simulation, power, means, kept, {
      place: bus + 1,
      id: idOf("generation", id),
      title: name,
    }),
  );
  source.cubes.set("power", kept.cube());
  if (buses.length < 2) return system;
  return `${system}<h3 class="group">By bus</h3>${paragraph("Where the bars stay below the load, the bus imports; above it, it exports.")}${smallMultiples(figures, "bus")}`;
}

interface Place {
  readonly place: number;
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  readonly controls?: string;
}

/** Shows one bus in the chart of the system. The script reads it from the chart of the bus. */
function busSwitch(buses: readonly Entity[]): string {
  const options = buses.map(
    ({ id, name }) => `<option value="${idOf("generation", id)}">${escapeHtml(name)}</option>`,
  );
  return `<p class="switch live"><label>Show <select data-places><option value="">all buses</option>${options.join("")}</select></label></p>`;
}

function placeFigure(
  { stages }: SimulationReport,
  { sources, use }: PowerBySource,
  means: Float64Array,
  kept: KeptItems,
  { place, id, title, text, controls }: Place,
): string {
  const first = place * (sources.length + 1);
  const of = (item: number) =>
    means.subarray((first + item) * stages.length, (first + item + 1) * stages.length);
  const all = sources.map(({ name, style }, s): Series & { item: number } => ({
    name,
    style,
    values: of(s),
    item: first + s,
  }));
  // A source that has nothing here in any scenario is not shown. Deficit always is: that there is none is an answer, too.
  const series = all.filter(({ item, style }) => style === "deficit" || kept.hasValues(item));
  const load = of(sources.length);
  const bars = {
    title,
    unit: "MWh",
    series,
    count: stages.length,
    line: load,
    ticks: (room: number) => stageTicks(stages, room),
  };
  const isSmall = place > 0;
  const draw = (size: Size) => barsSvg(size, bars);
  return figureHtml({
    id,
    title,
    ...(text === undefined ? {} : { text }),
    ...(controls === undefined ? {} : { controls }),
    wide: draw(isSmall ? SMALL : WIDE),
    ...(isSmall ? { isSmall } : { narrow: draw(NARROW) }),
    legend: isSmall ? "" : legendHtml([...series, { name: use, style: "load", isLine: true }]),
    unit: "MWh",
    scenario: {
      form: "stack",
      cube: "power",
      items: [...series.map(({ item }) => kept.keep(item)), kept.keep(first + sources.length)],
    },
    table: {
      columns: [
        { label: "stage" },
        ...series.map(({ name }) => ({ label: name, unit: "MWh" })),
        { label: use, unit: "MWh" },
      ],
      rows: stages.map((stage, t) => [
        stageName(stage),
        ...series.map(({ values }) => values[t] as number),
        load[t] as number,
      ]),
    },
  });
}

/** Chooses the items of a cube that the script needs: those that have something in a scenario. */
class KeptItems {
  private readonly all: Cube;
  private readonly items: number[] = [];

  constructor(all: Cube) {
    this.all = all;
  }

  hasValues(item: number): boolean {
    return this.valuesOf(item).some((value) => Math.abs(value) > 1e-9);
  }

  /** The number of the item in {@link cube}, or -1 if it is 0 everywhere. */
  keep(item: number): number {
    if (!this.hasValues(item)) return -1;
    if (!this.items.includes(item)) this.items.push(item);
    return this.items.indexOf(item);
  }

  cube(): Cube {
    const { stages, scenarios } = this.all;
    const cube = this.all.alike(this.items.length);
    this.items.forEach((item, i) => {
      cube.values.set(this.valuesOf(item), i * stages * scenarios);
    });
    return cube;
  }

  private valuesOf(item: number): Float64Array {
    const size = this.all.stages * this.all.scenarios;
    return this.all.values.subarray(item * size, (item + 1) * size);
  }
}
