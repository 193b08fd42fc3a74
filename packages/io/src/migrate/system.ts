import { CASE_FILES } from "@cobre/core";
import type { Case } from "../load-case.js";
import { isObject, type Json, withEach, without } from "./json.js";
import type { MigrationNotes } from "./notes.js";

/** The day on which everything starts to operate: it only gives an order, and one day for all leaves that of the ids. */
const START = "2000-01-01";

/** Entities other than hydro plants in the words of Cobre 0.18. */
export function migrateEntities(document: Json, list: string): Json {
  return withEach(document, list, (entity) => ({ ...entity, operational_start_date: START }));
}

/** Thermal plants in the words of Cobre 0.18, which calls it otherwise if they are committed ahead. */
export function migrateThermals(document: Json): Json {
  return withEach(migrateEntities(document, "thermals"), "thermals", (thermal) => {
    const { gnl_config: config, ...others } = thermal;
    if (!isObject(config)) return others;
    return { ...others, anticipated_config: { lead_stages: config.lag_stages } };
  });
}

/** Hydro plants in the words of Cobre 0.18: each has one group of units, and only those with a production function pay for turbined water. */
export function migrateHydros(document: Json, source: Case, notes: MigrationNotes): Json {
  const paying = payingPlants(source);
  return withEach(document, "hydros", (hydro) => {
    const { bus_id, generation, penalties, filling } = hydro;
    const limits = isObject(generation) ? generation : {};
    checkRules(hydro, source, notes);
    const overrides = overridesOf(isObject(penalties) ? penalties : {}, hydro, paying);
    return {
      ...without(hydro, "bus_id", "penalties"),
      operational_start_date: START,
      generation: without(limits, "productivity_mw_per_m3s"),
      unit_groups: hydro.unit_groups ?? [
        {
          id: 0,
          name: hydro.name,
          bus_id,
          min_generation_mw: limits.min_generation_mw,
          max_generation_mw: limits.max_generation_mw,
          min_turbined_m3s: limits.min_turbined_m3s,
          max_turbined_m3s: limits.max_turbined_m3s,
        },
      ],
      ...(isObject(filling) && { filling: without(filling, "filling_inflow_m3s") }),
      ...(overrides && { penalties: overrides }),
    };
  });
}

/** The penalties of the whole system in the words of Cobre 0.18. */
export function migratePenalties(document: Json, source: Case): Json {
  const { hydro } = document;
  const rest = without(document, "version");
  if (!isObject(hydro)) return rest;
  const cost = payingPlants(source).size > 0 ? hydro.fpha_turbined_cost : 0;
  return { ...rest, hydro: { ...without(hydro, "fpha_turbined_cost"), turbined_cost: cost } };
}

/** The ids of plants that have a production function in some stage. Only they pay for turbined water in Cobre 0.5. */
export function payingPlants({ study }: Case): ReadonlySet<number> {
  return new Set(
    study.system.hydros
      .filter((_, h) => study.production.planes.some((stage) => stage[h] !== undefined))
      .map(({ id }) => id),
  );
}

function overridesOf(penalties: Json, hydro: Json, paying: ReadonlySet<number>): Json | undefined {
  const { fpha_turbined_cost: cost, ...others } = penalties;
  // Where nobody pays, the cost of all is 0.
  const isExempt = paying.size > 0 && !paying.has(hydro.id as number);
  const turbined = isExempt ? 0 : paying.size > 0 ? cost : undefined;
  const result = { ...others, ...(turbined !== undefined && { turbined_cost: turbined }) };
  return Object.keys(result).length === 0 ? undefined : result;
}

/** Notes what Cobre 0.18 takes otherwise. */
function checkRules({ id, diversion, evaporation }: Json, source: Case, notes: MigrationNotes) {
  const { study } = source;
  const h = study.system.hydros.findIndex((hydro) => hydro.id === id);
  const planes = study.production.planes.map((stage) => stage[h] !== undefined);
  const what = `hydro ${id}`;
  if (planes.includes(true) && planes.includes(false)) {
    const problem =
      "has a production function in some stages only; in Cobre 0.18 its turbined water costs the same in all";
    notes.add(CASE_FILES.hydros, what, problem);
  }
  if (study.system.hydros[h]?.filling?.inflowM3s !== undefined) {
    const problem =
      "Cobre 0.18 does not limit what is kept while a reservoir is filled, and without a rate its dead volume is due from the first stage of filling on";
    notes.add(CASE_FILES.hydros, what, problem);
  }
  const isLimited = study.time.stages.some(
    (_, t) =>
      study.hydros.minOutflowM3s.at(t, h) > 0 ||
      study.hydros.maxOutflowM3s.at(t, h) < Number.POSITIVE_INFINITY,
  );
  if (isObject(diversion) && isLimited) {
    const problem = "in Cobre 0.18 the limits of the outflow do not count diverted water";
    notes.add(CASE_FILES.hydros, what, problem);
  }
  const isWhole = study.time.stages.every(({ start, end, blocks }) => {
    const hours = blocks.reduce((sum, block) => sum + block.hours, 0);
    return hours === 24 * (end - start) && end - start >= 28 && end - start <= 31;
  });
  if (isObject(evaporation) && !isWhole) {
    const problem =
      "in Cobre 0.18 a stage has its share of a month's evaporation, in Cobre 0.5 all of it";
    notes.add(CASE_FILES.hydros, what, problem);
  }
}
