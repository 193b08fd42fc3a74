import type { Entity } from "../results/dictionaries.js";
import type { Cube } from "./cube.js";
import type { SimulationSource } from "./simulation-source.js";

/** Non-controllable sources. Cubes are by source, in MWh. */
export interface SourceReport {
  readonly sources: readonly Entity[];
  readonly energy: Cube;
  /** What was available and not used. */
  readonly curtailed: Cube;
}

const COLUMNS = ["stage_id", "non_controllable_id", "generation_mwh", "curtailment_mwh"] as const;

export async function readSources(source: SimulationSource): Promise<SourceReport> {
  const { simulation, stages } = source;
  const sources = source.axes.entities.nonControllables;
  const energy = source.cube(sources.length, 0);
  const curtailed = source.cube(sources.length, 0);
  const report = { sources, energy, curtailed };
  if (!simulation.tables.includes("non_controllables")) return report;
  const places = source.indices("non-controllable source", sources);
  let s = 0;
  for await (const { rows, columns } of simulation.scenariosOf("non_controllables", COLUMNS)) {
    for (let row = 0; row < rows; row++) {
      const stage = stages.of(columns.stage_id[row] as number);
      const place = places.of(columns.non_controllable_id[row] as number);
      energy.add(place, stage, s, columns.generation_mwh[row] as number);
      curtailed.add(place, stage, s, columns.curtailment_mwh[row] as number);
    }
    s++;
  }
  return report;
}
