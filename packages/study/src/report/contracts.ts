import { CONTRACT_TYPE } from "@cobre/io";
import type { Entity } from "../results/dictionaries.js";
import type { Cube } from "./cube.js";
import type { SimulationSource } from "./simulation-source.js";

/** Energy contracts. Cubes are by contract. */
export interface ContractReport {
  readonly contracts: readonly Entity[];
  readonly types: readonly ("import" | "export")[];
  /** What is bought or sold, in MWh. */
  readonly energy: Cube;
  /** In $, not discounted; negative: a revenue. */
  readonly cost: Cube;
}

const COLUMNS = [
  "stage_id",
  "contract_id",
  "energy_mwh",
  "total_cost",
  "contract_type_code",
] as const;

export async function readContracts(source: SimulationSource): Promise<ContractReport> {
  const { simulation, stages } = source;
  const { contracts } = source.axes.entities;
  const types = contracts.map((): "import" | "export" => "import");
  const energy = source.cube(contracts.length, 0);
  const cost = source.cube(contracts.length, 0);
  const report = { contracts, types, energy, cost };
  if (!simulation.tables.includes("contracts")) return report;
  const places = source.indices("contract", contracts);
  let s = 0;
  for await (const { rows, columns } of simulation.scenariosOf("contracts", COLUMNS)) {
    for (let row = 0; row < rows; row++) {
      const stage = stages.of(columns.stage_id[row] as number);
      const place = places.of(columns.contract_id[row] as number);
      const isExport = columns.contract_type_code[row] === CONTRACT_TYPE.export;
      types[place] = isExport ? "export" : "import";
      energy.add(place, stage, s, columns.energy_mwh[row] as number);
      cost.add(place, stage, s, columns.total_cost[row] as number);
    }
    s++;
  }
  return report;
}
