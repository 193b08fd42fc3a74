import type { Entity } from "../results/dictionaries.js";
import type { Cube } from "./cube.js";
import type { SimulationSource } from "./simulation-source.js";

/** Thermal plants. Cubes are by plant. */
export interface ThermalReport {
  readonly plants: readonly Entity[];
  /** In MWh. */
  readonly energy: Cube;
  /** In $, not discounted. */
  readonly cost: Cube;
}

const COLUMNS = ["stage_id", "thermal_id", "generation_mwh", "generation_cost"] as const;

export async function readThermals(source: SimulationSource): Promise<ThermalReport> {
  const { simulation } = source;
  const plants = source.axes.entities.thermals;
  const energy = source.cube(plants.length, 0);
  const cost = source.cube(plants.length, 0);
  const report = { plants, energy, cost };
  if (!simulation.tables.includes("thermals")) return report;
  const places = source.indices("thermal", plants);
  let s = 0;
  for await (const { rows, columns } of simulation.scenariosOf("thermals", COLUMNS)) {
    for (let row = 0; row < rows; row++) {
      const stage = source.stages.of(columns.stage_id[row] as number);
      const plant = places.of(columns.thermal_id[row] as number);
      energy.add(plant, stage, s, columns.generation_mwh[row] as number);
      cost.add(plant, stage, s, columns.generation_cost[row] as number);
    }
    s++;
  }
  return report;
}
