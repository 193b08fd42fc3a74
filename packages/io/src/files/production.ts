import {
  CASE_FILES,
  type FphaConfig,
  type IssueCollector,
  type PlaneRow,
  type ProductionChoice,
  type ProductionInput,
  type ProductionModelInput,
  type ProductivityRow,
  type ReferenceVolume,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { LATER_FIELDS } from "../later-fields.js";
import { type CaseDirectory, dialectOf } from "../memory/memory-case.js";
import { readTable } from "../parquet/read-table.js";
import { LATER_TABLE_FORMATS } from "./later-table-formats.js";
import { LIMITS } from "./limits.js";
import { TABLE_FORMATS } from "./table-formats.js";

/**
 * Reads how hydro plants generate: `system/hydro_production_models.json` and `system/fpha_hyperplanes.parquet`, and for Cobre 0.18
 * `system/hydro_energy_productivity.parquet`. All are optional.
 */
export async function readProduction(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<ProductionInput> {
  const root = await readJson(directory, CASE_FILES.productionModels, issues, true);
  return {
    models: root === undefined ? [] : productionModelsOf(root, issues),
    planes: await readPlanes(directory, issues),
    ...(dialectOf(directory) === "0.18" && {
      productivities: await readProductivities(directory, issues),
    }),
  };
}

/** What `system/hydro_production_models.json` says. */
export function productionModelsOf(
  root: ObjectReader,
  issues: IssueCollector,
): readonly ProductionModelInput[] {
  const models = root.list("production_models").map((entry) => readEntry(entry, issues));
  root.refuseLater(LATER_FIELDS.productionModels);
  root.finish();
  return models;
}

function readEntry(listed: ObjectReader, issues: IssueCollector): ProductionModelInput {
  const entry = listed.has("hydro_id") ? listed.of(`hydro ${listed.raw("hydro_id")}`) : listed;
  const hydroId = entry.integer("hydro_id");
  const mode = entry.choice("selection_mode", ["stage_ranges", "seasonal"]);
  if (mode === "seasonal") {
    const model = entry.choice("default_model", MODELS);
    if (model === "linearized_head") warnOfHead(hydroId, "default_model", issues);
    const list = entry.list("seasons").map((season, i) => ({
      seasonId: season.integer("season_id", { min: 0 }),
      ...readChoice(season, hydroId, `seasons[${i}]`, issues),
    }));
    entry.finish();
    return { hydroId, ranges: [], seasons: { otherwise: { model: modelOf(model) }, list } };
  }
  const ranges = entry.list("stage_ranges").map((range, i) => ({
    startStageId: range.integer("start_stage_id"),
    endStageId: range.optionalInteger("end_stage_id"),
    ...readChoice(range, hydroId, `stage_ranges[${i}]`, issues),
  }));
  entry.finish();
  return { hydroId, ranges };
}

const MODELS = ["constant_productivity", "linearized_head", "fpha"] as const;

function modelOf(word: (typeof MODELS)[number]): ProductionChoice["model"] {
  return word === "fpha" ? "fpha" : "constant_productivity";
}

function readChoice(
  reader: ObjectReader,
  hydroId: number,
  field: string,
  issues: IssueCollector,
): ProductionChoice {
  const word = reader.choice("model", MODELS);
  if (word === "linearized_head") warnOfHead(hydroId, `${field}.model`, issues);
  // A constant productivity may come with the settings of a function it does not use.
  const config = reader.optionalObject("fpha_config");
  const fpha = config && readFphaConfig(config);
  const name = reader.word("productivity_override", "productivity_mw_per_m3s");
  const productivity = reader.optionalNumber(name);
  const referenceVolume = reader.isLater
    ? readReferenceVolume(reader.optionalObject("reference_volume"))
    : undefined;
  reader.refuseLater(LATER_FIELDS.productionChoice);
  reader.finish();
  return { model: modelOf(word), productivity, fpha, referenceVolume };
}

/** The volume at which energies are reckoned from water. */
function readReferenceVolume(volume: ObjectReader | undefined): ReferenceVolume | undefined {
  if (volume === undefined) return undefined;
  const result = {
    volumeHm3: volume.optionalNumber("volume_hm3", { min: 0 }),
    share: volume.optionalNumber("percentile", { min: 0, max: 1 }),
  };
  if (volume.has("volume_hm3") && volume.has("percentile")) {
    volume.report("percentile", "is given beside volume_hm3", "keep one of them");
  }
  volume.finish();
  return result;
}

function readFphaConfig(config: ObjectReader): FphaConfig {
  const points = (name: string) =>
    config.optionalInteger(`${name}_discretization_points`, { min: 2, max: LIMITS.fittedPoints });
  const result = {
    source: config.choice("source", ["precomputed", "computed"]),
    volumePoints: points("volume"),
    turbinePoints: points("turbine"),
    spillagePoints: points("spillage"),
    maxPlanes: config.optionalInteger("max_planes_per_hydro", { min: 1 }),
    window: readWindow(config.optionalObject("fitting_window")),
  };
  config.finish();
  return result;
}

function readWindow(window: ObjectReader | undefined): FphaConfig["window"] {
  if (window === undefined) return undefined;
  const result = {
    minHm3: window.optionalNumber("volume_min_hm3"),
    maxHm3: window.optionalNumber("volume_max_hm3"),
    minShare: window.optionalNumber("volume_min_percentile", { min: 0, max: 1 }),
    maxShare: window.optionalNumber("volume_max_percentile", { min: 0, max: 1 }),
  };
  for (const end of ["min", "max"]) {
    const [volume, share] = [`volume_${end}_hm3`, `volume_${end}_percentile`];
    if (window.has(volume) && window.has(share)) {
      window.report(share, `is given beside ${volume}`, "keep one of them");
    }
  }
  window.finish();
  return result;
}

function warnOfHead(hydroId: number, field: string, issues: IssueCollector): void {
  issues.warning(
    "schema",
    { file: CASE_FILES.productionModels, entity: `hydro ${hydroId}`, field },
    "linearized_head is taken as constant_productivity",
    "give fpha where the head matters",
  );
}

async function readPlanes(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly PlaneRow[]> {
  const { file, columns, key } = TABLE_FORMATS.fphaPlanes;
  const table = await readTable(directory, file, columns, key, issues);
  if (table === undefined) return [];
  const c = table.columns;
  return Array.from({ length: table.rows }, (_, i) => ({
    hydroId: c.hydro_id[i] as number,
    stageId: given(c.stage_id[i]),
    planeId: c.plane_id[i] as number,
    gamma0: c.gamma_0[i] as number,
    gammaV: c.gamma_v[i] as number,
    gammaQ: c.gamma_q[i] as number,
    gammaS: c.gamma_s[i] as number,
    kappa: given(c.kappa[i]) ?? 1,
  }));
}

async function readProductivities(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly ProductivityRow[]> {
  const { file, columns, key } = LATER_TABLE_FORMATS.energyProductivity;
  const table = await readTable(directory, file, columns, key, issues);
  if (table === undefined) return [];
  const c = table.columns;
  return Array.from({ length: table.rows }, (_, i) => ({
    hydroId: c.hydro_id[i] as number,
    stageId: given(c.stage_id[i]),
    productivity: given(c.equivalent_productivity_mw_per_m3s[i]),
    specific: given(c.specific_productivity_mw_per_m3s_per_m[i]),
    referenceOutflow: given(c.reference_outflow_m3s[i]),
  }));
}

/** A value of a table, unless it is missing. */
function given(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
