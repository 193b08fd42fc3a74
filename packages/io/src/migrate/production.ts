import type { Case } from "../load-case.js";
import { isObject, type Json, withEach, without } from "./json.js";

/**
 * `system/hydro_production_models.json` in the words of Cobre 0.18, where it alone says what plants generate. A range that names no productivity
 * gets that of the plant, and so do stages that no range covers.
 *
 * @param document the file, if there is one
 */
export function migrateProduction(document: Json | undefined, { study }: Case): Json | undefined {
  const { hydros } = study.system;
  const first = Math.min(...study.time.stages.map(({ id }) => id));
  if (hydros.length === 0) return document;
  const own = (id: unknown) => hydros.find((hydro) => hydro.id === id)?.productivityMwPerM3s;
  const always = (productivity: number) => ({
    start_stage_id: first,
    end_stage_id: null,
    model: "constant_productivity",
    productivity_mw_per_m3s: productivity,
  });
  const translated = withEach(
    document ?? { production_models: [] },
    "production_models",
    (entry) => {
      const productivity = own(entry.hydro_id);
      if (entry.selection_mode === "seasonal") return inRanges(entry, productivity, study);
      const ranges = withEach(entry, "stage_ranges", (range) => choiceOf(range, productivity));
      const rest = productivity === undefined ? [] : [always(productivity)];
      return { ...ranges, stage_ranges: [...(ranges.stage_ranges as readonly Json[]), ...rest] };
    },
  );
  const listed = translated.production_models as readonly Json[];
  const missing = hydros.filter(
    ({ id, productivityMwPerM3s }) =>
      productivityMwPerM3s !== undefined && !listed.some((entry) => entry.hydro_id === id),
  );
  const added = missing.map(({ id, productivityMwPerM3s }) => ({
    hydro_id: id,
    selection_mode: "stage_ranges",
    stage_ranges: [always(productivityMwPerM3s as number)],
  }));
  return { ...translated, production_models: [...listed, ...added] };
}

/** Seasons as ranges: in Cobre 0.18 the model of the other seasons has no productivity. */
function inRanges(entry: Json, productivity: number | undefined, study: Case["study"]): Json {
  const seasons = (Array.isArray(entry.seasons) ? entry.seasons : []).filter(isObject);
  const otherwise = { model: entry.default_model };
  const ranges = study.time.stages.map(({ id, seasonId }) => {
    const season = seasons.find((one) => one.season_id === seasonId) ?? otherwise;
    const choice = choiceOf(without(season, "season_id"), productivity);
    return { start_stage_id: id, end_stage_id: id, ...choice };
  });
  return { hydro_id: entry.hydro_id, selection_mode: "stage_ranges", stage_ranges: ranges };
}

function choiceOf(choice: Json, productivity: number | undefined): Json {
  const rest = without(choice, "productivity_override");
  if (choice.model === "fpha") return rest;
  const value = choice.productivity_override ?? productivity;
  return { ...rest, ...(value !== undefined && { productivity_mw_per_m3s: value }) };
}
