import { CASE_FILES } from "../case-files.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Hydro } from "./entities.js";

/** A row of `system/hydro_geometry.parquet`: level and surface of a reservoir at a volume. */
export interface GeometryRow {
  readonly hydroId: number;
  readonly volumeHm3: number;
  readonly heightM: number;
  readonly areaKm2: number;
}

/** The geometry of each plant that has one, by its id; rows in the order of their volumes. */
export type Geometry = ReadonlyMap<number, readonly GeometryRow[]>;

/**
 * Sorts the rows by plant and volume. Reports plants that do not exist, and volumes, heights and areas that fall.
 *
 * @param isUsed whether anything of a plant needs its geometry
 */
export function buildGeometry(
  rows: readonly GeometryRow[],
  hydros: readonly Hydro[],
  isUsed: (hydroId: number) => boolean,
  issues: IssueCollector,
): Geometry {
  const file = CASE_FILES.hydroGeometry;
  const geometry = new Map<number, GeometryRow[]>();
  for (const row of [...rows].sort((a, b) => a.volumeHm3 - b.volumeHm3)) {
    const ofPlant = geometry.get(row.hydroId) ?? [];
    geometry.set(row.hydroId, ofPlant);
    ofPlant.push(row);
  }
  const known = new Set(hydros.map(({ id }) => id));
  for (const [id, ofPlant] of geometry) {
    const entity = `hydro ${id}`;
    if (!known.has(id)) {
      const problem = `hydro ${id} does not exist`;
      const place = { file, entity, field: "hydro_id" };
      issues.error("references", place, problem, "remove its rows or correct hydro_id");
    }
    if (!isUsed(id)) {
      const problem =
        "has no effect: the plant has neither evaporation nor fpha fitted to it, nor a specific productivity";
      issues.warning("references", { file, entity }, problem, "remove its rows, or leave them");
    }
    ofPlant.forEach((row, i) => {
      const before = ofPlant[i - 1];
      if (before === undefined) return;
      const at = `at ${row.volumeHm3} hm3`;
      const report = (field: string, problem: string, remedy: string) =>
        issues.error("physics", { file, entity, field }, problem, remedy);
      if (row.volumeHm3 === before.volumeHm3)
        report("volume_hm3", `there are two rows ${at}`, "keep one of them");
      if (row.heightM < before.heightM)
        report("height_m", `falls from ${before.heightM} to ${row.heightM} ${at}`, RISES);
      if (row.areaKm2 < before.areaKm2)
        report("area_km2", `falls from ${before.areaKm2} to ${row.areaKm2} ${at}`, RISES);
    });
  }
  return geometry;
}

const RISES = "it must not fall while the volume rises";

/** A quantity at a volume: linear between the rows, constant outside. */
export function valueAt(
  rows: readonly GeometryRow[],
  of: (row: GeometryRow) => number,
  volume: number,
): number {
  const first = rows[0] as GeometryRow;
  const last = rows[rows.length - 1] as GeometryRow;
  if (volume <= first.volumeHm3) return of(first);
  if (volume >= last.volumeHm3) return of(last);
  const i = rows.findIndex(({ volumeHm3 }) => volumeHm3 > volume);
  const [left, right] = [rows[i - 1] as GeometryRow, rows[i] as GeometryRow];
  const share = (volume - left.volumeHm3) / (right.volumeHm3 - left.volumeHm3);
  return of(left) + share * (of(right) - of(left));
}

/** The mean of a quantity between two volumes, as far as the rows reach. */
export function meanBetween(
  rows: readonly GeometryRow[],
  of: (row: GeometryRow) => number,
  from: number,
  to: number,
): number {
  const first = rows[0] as GeometryRow;
  const last = rows[rows.length - 1] as GeometryRow;
  const within = (volume: number) => Math.min(Math.max(volume, first.volumeHm3), last.volumeHm3);
  const [low, high] = [within(from), within(to)];
  if (!(high > low)) return valueAt(rows, of, low);
  const inner = rows.map(({ volumeHm3 }) => volumeHm3).filter((v) => v > low && v < high);
  const points = [low, ...inner, high];
  let area = 0;
  for (let i = 1; i < points.length; i++) {
    const [left, right] = [points[i - 1] as number, points[i] as number];
    area += ((valueAt(rows, of, left) + valueAt(rows, of, right)) / 2) * (right - left);
  }
  return area / (high - low);
}

/** The slope of a quantity at a volume: that of the interval to its right, at and beyond the last row of the last one. */
export function slopeAt(
  rows: readonly GeometryRow[],
  of: (row: GeometryRow) => number,
  volume: number,
): number {
  if (rows.length < 2) return 0;
  const behind = rows.findIndex(({ volumeHm3 }) => volumeHm3 > volume);
  const i = Math.max(1, behind < 0 ? rows.length - 1 : behind);
  const [left, right] = [rows[i - 1] as GeometryRow, rows[i] as GeometryRow];
  return (of(right) - of(left)) / (right.volumeHm3 - left.volumeHm3);
}
