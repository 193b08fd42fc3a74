import type { Entity } from "../results/dictionaries.js";
import type { Cube } from "./cube.js";
import type { SimulationSource } from "./simulation-source.js";

/** Load, what is missing to it, and prices. */
export interface BusReport {
  readonly buses: readonly Entity[];
  /** The ids of the blocks. */
  readonly blocks: readonly number[];
  /** By bus, in MWh. */
  readonly load: Cube;
  readonly deficit: Cube;
  readonly excess: Cube;
  /** By bus and block (`bus * blocks.length + block`), in $/MWh. */
  readonly prices: Cube;
}

const COLUMNS = [
  "stage_id",
  "block_id",
  "bus_id",
  "load_mwh",
  "deficit_mwh",
  "excess_mwh",
  "spot_price",
] as const;

export async function readBuses(source: SimulationSource): Promise<BusReport> {
  const { blocks, entities } = source.axes;
  const { buses } = entities;
  const report: BusReport = {
    buses,
    blocks,
    load: source.cube(buses.length, 0),
    deficit: source.cube(buses.length, 0),
    excess: source.cube(buses.length, 0),
    prices: source.cube(buses.length * blocks.length),
  };
  const places = source.indices("bus", buses);
  let s = 0;
  for await (const { rows, columns } of source.simulation.scenariosOf("buses", COLUMNS)) {
    for (let row = 0; row < rows; row++) {
      const stage = source.stages.of(columns.stage_id[row] as number);
      const block = source.blocks.of(columns.block_id[row] as number);
      const bus = places.of(columns.bus_id[row] as number);
      report.load.add(bus, stage, s, columns.load_mwh[row] as number);
      report.deficit.add(bus, stage, s, columns.deficit_mwh[row] as number);
      report.excess.add(bus, stage, s, columns.excess_mwh[row] as number);
      report.prices.set(bus * blocks.length + block, stage, s, columns.spot_price[row] as number);
    }
    s++;
  }
  return report;
}
