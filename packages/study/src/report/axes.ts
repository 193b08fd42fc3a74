import type { Entities, Entity, StageEntry } from "../results/dictionaries.js";
import type { Run } from "../results/run.js";
import { ifWritten, RunError } from "../results/run-error.js";
import type { SimulationRun } from "../results/simulation-run.js";

/** What the values of a simulation are told by. Indices count from 0 in this order. */
export interface Axes {
  /** The numbers of the scenarios. */
  readonly scenarios: readonly number[];
  /** How likely each is, if they are all paths of a tree. */
  readonly probabilities?: Float64Array | undefined;
  readonly stages: readonly StageEntry[];
  /** The ids of the blocks of all stages. */
  readonly blocks: readonly number[];
  readonly entities: Entities;
}

/** From ids to indices. */
export class Indices {
  private readonly places: ReadonlyMap<number, number>;
  private readonly what: string;
  private readonly directory: string;

  constructor(directory: string, what: string, ids: readonly number[]) {
    this.directory = directory;
    this.what = what;
    this.places = new Map(ids.map((id, i) => [id, i]));
  }

  of(id: number): number {
    const place = this.places.get(id);
    if (place !== undefined) return place;
    throw new RunError(
      "Damaged",
      this.directory,
      `${this.directory}: a table of the simulation has ${this.what} ${id}, which the dictionaries do not have; run the case again`,
    );
  }
}

/** The axes of a simulation: from the dictionaries, or from its tables if an earlier version wrote none. */
export async function axesOf(run: Run, simulation: SimulationRun): Promise<Axes> {
  const { scenarios } = simulation;
  const probabilities = await probabilitiesOf(simulation);
  const entities = (await ifWritten(run.entities())) ?? (await entitiesIn(simulation));
  const stages = await ifWritten(run.stages());
  if (stages !== undefined) {
    const blocks = new Set(stages.flatMap((stage) => stage.blocks.map(({ id }) => id)));
    return { scenarios, probabilities, stages, blocks: [...blocks], entities };
  }
  const [first = 0] = scenarios;
  const { columns } = await simulation.table("buses", first, ["stage_id", "block_id"]);
  return {
    scenarios,
    stages: idsIn(columns.stage_id).map((id) => {
      return { id, start: undefined, end: undefined, blocks: [] };
    }),
    blocks: idsIn(columns.block_id),
    entities,
  };
}

async function probabilitiesOf(simulation: SimulationRun): Promise<Float64Array | undefined> {
  if (!simulation.metadata.isExact) return undefined;
  const { columns } = await simulation.summary();
  if (columns.probability.length === simulation.scenarios.length) return columns.probability;
  const { path } = simulation;
  throw new RunError(
    "Damaged",
    path,
    `${path} does not tell how likely each path is; simulate again with --resume`,
  );
}

/** The entities of the tables, which have no names there. */
async function entitiesIn(simulation: SimulationRun): Promise<Entities> {
  const { tables, scenarios } = simulation;
  const [first = 0] = scenarios;
  const named = (what: string, ids: Float64Array | undefined): Entity[] =>
    idsIn(ids ?? new Float64Array()).map((id) => ({ id, name: `${what} ${id}`, busId: undefined }));
  const hydros = tables.includes("hydros")
    ? await simulation.table("hydros", first, ["hydro_id"])
    : undefined;
  const thermals = tables.includes("thermals")
    ? await simulation.table("thermals", first, ["thermal_id"])
    : undefined;
  const buses = await simulation.table("buses", first, ["bus_id"]);
  const lines = tables.includes("exchanges")
    ? await simulation.table("exchanges", first, ["line_id"])
    : undefined;
  // Versions that wrote no dictionaries had no other entities.
  return {
    nonControllables: [],
    pumpingStations: [],
    contracts: [],
    hydros: named("hydro", hydros?.columns.hydro_id),
    thermals: named("thermal", thermals?.columns.thermal_id),
    buses: named("bus", buses.columns.bus_id),
    lines: named("line", lines?.columns.line_id),
  };
}

function idsIn(column: Float64Array): number[] {
  return [...new Set(column)].filter((id) => !Number.isNaN(id));
}
