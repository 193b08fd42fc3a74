import { CASE_FILES, type IssueCollector, type StudyInput } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { type CaseDirectory, dialectOf } from "../memory/memory-case.js";
import { energyContractsOf } from "./energy-contracts.js";
import { overrideFormats } from "./later-table-formats.js";
import { pumpingStationsOf } from "./pumping-stations.js";
import { readOverrideTable } from "./tables.js";

/** Pumping stations, contracts, and their limits by stage. */
export type PumpingAndContracts = Pick<
  StudyInput["system"],
  "pumpingStations" | "energyContracts"
> &
  Pick<StudyInput, "pumpingBounds" | "contractBounds">;

/**
 * Reads the files of pumping stations and contracts, all of them optional. Cobre 0.5 reads them and does nothing with them.
 *
 * @param isWithoutEffect whether they are left out with a warning, as Cobre 0.5 does
 */
export async function readPumpingAndContracts(
  directory: CaseDirectory,
  issues: IssueCollector,
  isWithoutEffect: boolean,
): Promise<PumpingAndContracts> {
  const list = async <T>(file: string, name: string, of: (root: ObjectReader) => readonly T[]) => {
    const root = await readJson(directory, file, issues, true);
    if (root === undefined) return [];
    if (!isWithoutEffect) return of(root);
    if ((root.optionalList(name) ?? []).length > 0) {
      issues.warning("schema", { file, field: name }, "has no effect", "as in Cobre 0.5");
    }
    return [];
  };
  const pumpingStations = await list(
    CASE_FILES.pumpingStations,
    "pumping_stations",
    pumpingStationsOf,
  );
  const energyContracts = await list(CASE_FILES.energyContracts, "contracts", energyContractsOf);
  if (isWithoutEffect) return { pumpingStations, energyContracts };
  const formats = overrideFormats(dialectOf(directory));
  return {
    pumpingStations,
    energyContracts,
    pumpingBounds: await readOverrideTable(directory, formats.pumpingBounds, issues, false),
    contractBounds: await readOverrideTable(directory, formats.contractBounds, issues, false),
  };
}
