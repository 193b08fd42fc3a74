import type { Entity } from "../results/dictionaries.js";
import type { Cube } from "./cube.js";
import type { SimulationSource } from "./simulation-source.js";

/** Pumping stations. Cubes are by station. */
export interface PumpReport {
  readonly stations: readonly Entity[];
  /** In hm³. */
  readonly volume: Cube;
  /** What the pumps take, in MWh. */
  readonly energy: Cube;
}

const COLUMNS = [
  "stage_id",
  "pumping_station_id",
  "pumped_volume_hm3",
  "energy_consumption_mwh",
] as const;

export async function readPumps(source: SimulationSource): Promise<PumpReport> {
  const { simulation, stages } = source;
  const stations = source.axes.entities.pumpingStations;
  const volume = source.cube(stations.length, 0);
  const energy = source.cube(stations.length, 0);
  const report = { stations, volume, energy };
  if (!simulation.tables.includes("pumping_stations")) return report;
  const places = source.indices("pumping station", stations);
  let s = 0;
  for await (const { rows, columns } of simulation.scenariosOf("pumping_stations", COLUMNS)) {
    for (let row = 0; row < rows; row++) {
      const stage = stages.of(columns.stage_id[row] as number);
      const place = places.of(columns.pumping_station_id[row] as number);
      volume.add(place, stage, s, columns.pumped_volume_hm3[row] as number);
      energy.add(place, stage, s, columns.energy_consumption_mwh[row] as number);
    }
    s++;
  }
  return report;
}
