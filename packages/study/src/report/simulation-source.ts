import { BOUND_TYPE, type BOUNDS, ENTITY_TYPE, type TableColumns } from "@cobre/io";
import type { Run } from "../results/run.js";
import { ifWritten } from "../results/run-error.js";
import type { SimulationRun } from "../results/simulation-run.js";
import { type Axes, axesOf, Indices } from "./axes.js";
import { Cube } from "./cube.js";

/** A simulation that is read for a report: its axes, and the limits that the case sets. */
export class SimulationSource {
  readonly simulation: SimulationRun;
  readonly axes: Axes;
  /** From ids to indices. */
  readonly stages: Indices;
  readonly blocks: Indices;
  private readonly directory: string;
  private readonly bounds: Bounds | undefined;

  private constructor(
    directory: string,
    simulation: SimulationRun,
    axes: Axes,
    bounds: Bounds | undefined,
  ) {
    this.directory = directory;
    this.simulation = simulation;
    this.axes = axes;
    this.bounds = bounds;
    this.stages = this.indices("stage", axes.stages);
    this.blocks = new Indices(directory, "block", axes.blocks);
  }

  static async open(run: Run, simulation: SimulationRun): Promise<SimulationSource> {
    const axes = await axesOf(run, simulation);
    const bounds = (await ifWritten(run.bounds()))?.columns;
    return new SimulationSource(run.directory, simulation, axes, bounds);
  }

  indices(what: string, entries: readonly { readonly id: number }[]): Indices {
    return new Indices(
      this.directory,
      what,
      entries.map(({ id }) => id),
    );
  }

  /** A cube over the stages and scenarios. */
  cube(items: number, fill?: number): Cube {
    const { stages, scenarios, probabilities } = this.axes;
    return new Cube(items, stages.length, scenarios.length, fill, probabilities);
  }

  /** The limits that the case sets for whole stages, `[entity * stages + stage]`; NaN where there is none. */
  limits(
    type: keyof typeof ENTITY_TYPE,
    bound: keyof typeof BOUND_TYPE,
    entities: readonly { readonly id: number }[],
  ): Float64Array {
    const stages = this.axes.stages.length;
    const limits = new Float64Array(entities.length * stages).fill(Number.NaN);
    if (this.bounds === undefined) return limits;
    const { entity_type_code, bound_type_code, entity_id, stage_id, block_id, bound_value } =
      this.bounds;
    const places = this.indices(type, entities);
    bound_value.forEach((value, row) => {
      if (entity_type_code[row] !== ENTITY_TYPE[type]) return;
      if (bound_type_code[row] !== BOUND_TYPE[bound]) return;
      // Limits of single blocks stand beside that of the stage.
      if (!Number.isNaN(block_id[row])) return;
      const entity = places.of(entity_id[row] as number);
      limits[entity * stages + this.stages.of(stage_id[row] as number)] = value;
    });
    return limits;
  }
}

type Bounds = TableColumns<typeof BOUNDS>["columns"];
