import type { GeometryRow, IssueCollector } from "@cobre/core";
import type { CaseDirectory } from "../memory/memory-case.js";
import { readTable } from "../parquet/read-table.js";
import { TABLE_FORMATS } from "./table-formats.js";

/** Reads `system/hydro_geometry.parquet`, if it exists. */
export async function readGeometry(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly GeometryRow[]> {
  const { file, columns, key } = TABLE_FORMATS.hydroGeometry;
  const table = await readTable(directory, file, columns, key, issues);
  if (table === undefined) return [];
  const c = table.columns;
  return Array.from({ length: table.rows }, (_, i) => ({
    hydroId: c.hydro_id[i] as number,
    volumeHm3: c.volume_hm3[i] as number,
    heightM: c.height_m[i] as number,
    areaKm2: c.area_km2[i] as number,
  }));
}
