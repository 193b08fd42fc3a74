import { CASE_FILES } from "../case-files.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Hydro } from "./entities.js";
import { type Geometry, slopeAt, valueAt } from "./geometry.js";

/** What evaporates in a stage: constant + slope · (mean storage), in m³/s and hm³. */
export interface LinearEvaporation {
  readonly constant: number;
  readonly slope: number;
}

/** For each stage, for each plant; nothing for a plant without evaporation. */
export type Evaporations = readonly (readonly (LinearEvaporation | undefined)[])[];

const MONTHS = 12;
const HOURS_A_DAY = 24;
const MILLISECONDS_A_DAY = 86_400_000;
/** The volume of a millimetre on a km² is 1000 m³; an hour has 3600 s. */
const FLOW_OF_MM_KM2_AN_HOUR = 1 / 3.6;

/**
 * Linearises the evaporation of each plant around its reference volume, and reports what is missing for it.
 *
 * @param isByMonth whether a stage has its share of the month in which it starts, as in Cobre 0.18; else all of it
 */
export function buildEvaporation(
  hydros: readonly Hydro[],
  geometry: Geometry,
  stages: readonly Stage[],
  isByMonth: boolean,
  issues: IssueCollector,
): Evaporations {
  if (hydros.every(({ evaporation }) => evaporation === undefined)) {
    return stages.map(() => hydros.map(() => undefined));
  }
  for (const hydro of hydros) checkEvaporation(hydro, geometry, issues);
  for (const { id, seasonId } of isByMonth ? [] : stages) {
    if (seasonId !== undefined && seasonId < MONTHS) continue;
    issues.error(
      "references",
      { file: CASE_FILES.stages, entity: `stage ${id}`, field: "season_id" },
      seasonId === undefined ? "is missing" : `is ${seasonId}`,
      "evaporation goes by months: give a season from 0 (January) to 11 (December)",
    );
  }
  return stages.map((stage) =>
    hydros.map((hydro) => linearised(hydro, geometry, stage, isByMonth)),
  );
}

function linearised(
  { id, evaporation, minStorageHm3, maxStorageHm3 }: Hydro,
  geometry: Geometry,
  { seasonId = 0, blocks, start }: Stage,
  isByMonth: boolean,
): LinearEvaporation | undefined {
  const rows = geometry.get(id);
  if (evaporation === undefined || rows === undefined) return undefined;
  let hours = 0;
  if (isByMonth) hours = hoursOfMonth(start);
  else for (const block of blocks) hours += block.hours;
  const at = isByMonth ? new Date(start * MILLISECONDS_A_DAY).getUTCMonth() : seasonId;
  const month = evaporation.coefficientsMm[at] ?? 0;
  const volume = evaporation.referenceVolumesHm3?.[at] ?? (minStorageHm3 + maxStorageHm3) / 2;
  const area = (row: { readonly areaKm2: number }) => row.areaKm2;
  // In Cobre 0.5 a month's millimetres fall in the stage, whatever its length.
  const flow = (month * FLOW_OF_MM_KM2_AN_HOUR) / hours;
  const slope = flow * slopeAt(rows, area, volume);
  return { slope, constant: flow * valueAt(rows, area, volume) - slope * volume };
}

/** The hours of the month in which a day lies. */
function hoursOfMonth(day: number): number {
  const date = new Date(day * MILLISECONDS_A_DAY);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
  return new Date(next).getUTCDate() * HOURS_A_DAY;
}

function checkEvaporation(hydro: Hydro, geometry: Geometry, issues: IssueCollector): void {
  const { id, evaporation, minStorageHm3, maxStorageHm3 } = hydro;
  if (evaporation === undefined) return;
  const entity = `hydro ${id}`;
  const place = (field: string) => ({ file: CASE_FILES.hydros, entity, field });
  const { coefficientsMm, referenceVolumesHm3 } = evaporation;
  const lists = [
    ["evaporation.coefficients_mm", coefficientsMm],
    ["evaporation.reference_volumes_hm3", referenceVolumesHm3],
  ] as const;
  for (const [field, list] of lists) {
    if (list === undefined || list.length === MONTHS) continue;
    const remedy = "give 12, from January to December";
    issues.error("schema", place(field), `has ${list.length} values`, remedy);
  }
  referenceVolumesHm3?.forEach((value, month) => {
    if (value >= minStorageHm3 && value <= maxStorageHm3) return;
    const field = `evaporation.reference_volumes_hm3[${month}]`;
    const remedy = `must be between ${minStorageHm3} and ${maxStorageHm3}, the limits of storage`;
    issues.error("physics", place(field), `is ${value}`, remedy);
  });
  const rows = geometry.get(id) ?? [];
  if (rows.every(({ areaKm2 }) => areaKm2 === 0)) {
    issues.error(
      "references",
      { file: CASE_FILES.hydroGeometry, entity, field: "area_km2" },
      rows.length === 0 ? "there is no row for the plant" : "is 0 everywhere",
      "evaporation needs the area of the reservoir at its volumes",
    );
  }
}
