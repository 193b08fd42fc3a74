import { STORAGE_BINDING } from "@cobre/io";
import type { Entity } from "../results/dictionaries.js";
import type { Cube } from "./cube.js";
import type { SimulationSource } from "./simulation-source.js";

const SECONDS_AN_HOUR = 3600;
const M3_IN_HM3 = 1e6;

/** Plants and their reservoirs. Cubes are by plant. */
export interface HydroReport {
  readonly plants: readonly Entity[];
  /** In MWh. */
  readonly energy: Cube;
  /** At the end of the stage, in hm³. */
  readonly storage: Cube;
  /** Before the first stage, by plant, in hm³. */
  readonly initialStorage: Float64Array;
  /** The limits of the storage, `[plant * stages + stage]`; NaN if they are not known. */
  readonly minStorage: Float64Array;
  readonly maxStorage: Float64Array;
  /** 1 where the storage ends at its minimum, otherwise 0. */
  readonly isEmpty: Cube;
  /** 1 where the storage ends at its maximum, otherwise 0. */
  readonly isFull: Cube;
  /** Past the turbines, in hm³; NaN if the run does not tell the hours of its blocks. */
  readonly spilled: Cube;
  /** What one more hm³ at the start of the stage would save, in $/hm³: 0 or positive where water is useful. */
  readonly waterValue: Cube;
  /** The energy of one hm³ in the plant's own turbines, by plant, in MWh; NaN if it is not constant or not known. */
  readonly mwhPerHm3: Float64Array;
}

const COLUMNS = [
  "stage_id",
  "block_id",
  "hydro_id",
  "generation_mwh",
  "spillage_m3s",
  "storage_initial_hm3",
  "storage_final_hm3",
  "water_value_per_hm3",
  "storage_binding_code",
  "productivity_mw_per_m3s",
] as const;

export async function readHydros(source: SimulationSource): Promise<HydroReport> {
  const { axes, simulation } = source;
  const plants = axes.entities.hydros;
  const count = plants.length;
  const productivity = new Float64Array(count).fill(Number.NaN);
  const hours = hoursOf(source);
  const report: HydroReport = {
    plants,
    energy: source.cube(count, 0),
    storage: source.cube(count),
    initialStorage: new Float64Array(count).fill(Number.NaN),
    minStorage: source.limits("hydro", "storage_min", plants),
    maxStorage: source.limits("hydro", "storage_max", plants),
    isEmpty: source.cube(count, 0),
    isFull: source.cube(count, 0),
    spilled: source.cube(count, 0),
    waterValue: source.cube(count),
    mwhPerHm3: productivity,
  };
  if (!simulation.tables.includes("hydros")) return report;
  const places = source.indices("hydro", plants);
  const { at_minimum, at_maximum, both } = STORAGE_BINDING;
  let s = 0;
  for await (const { rows, columns } of simulation.scenariosOf("hydros", COLUMNS)) {
    for (let row = 0; row < rows; row++) {
      const stage = source.stages.of(columns.stage_id[row] as number);
      const block = source.blocks.of(columns.block_id[row] as number);
      const plant = places.of(columns.hydro_id[row] as number);
      const code = columns.storage_binding_code[row] as number;
      const spilled = (columns.spillage_m3s[row] as number) * SECONDS_AN_HOUR * hours(stage, block);
      report.energy.add(plant, stage, s, columns.generation_mwh[row] as number);
      report.spilled.add(plant, stage, s, spilled / M3_IN_HM3);
      // Values of a stage are repeated in the row of every block.
      report.storage.set(plant, stage, s, columns.storage_final_hm3[row] as number);
      report.isEmpty.set(plant, stage, s, code === at_minimum || code === both ? 1 : 0);
      report.isFull.set(plant, stage, s, code === at_maximum || code === both ? 1 : 0);
      // The dual tells how the cost changes with more water. Unlike -x, 0 - x never gives -0.
      report.waterValue.set(plant, stage, s, 0 - (columns.water_value_per_hm3[row] as number));
      if (stage === 0) report.initialStorage[plant] = columns.storage_initial_hm3[row] as number;
      productivity[plant] = columns.productivity_mw_per_m3s[row] as number;
    }
    s++;
  }
  productivity.forEach((mw, plant) => {
    productivity[plant] = (mw * M3_IN_HM3) / SECONDS_AN_HOUR;
  });
  return report;
}

/** The hours of a block, by the indices of stage and block. */
function hoursOf({ axes }: SimulationSource): (stage: number, block: number) => number {
  const hours = axes.stages.map(({ blocks }) =>
    axes.blocks.map((id) => blocks.find((block) => block.id === id)?.hours ?? Number.NaN),
  );
  return (stage, block) => hours[stage]?.[block] ?? Number.NaN;
}
