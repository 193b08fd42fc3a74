/**
 * Fields that Cobre 0.18 calls otherwise than the files of Cobre 0.5, which the readers know. Only what means exactly the same is
 * replaced: everything else is left to the readers, which refuse what they cannot do.
 */
import { CASE_FILES, type Dialect } from "@cobre/core";

type Json = Readonly<Record<string, unknown>>;

/** The document with the names that the readers know. */
export function inReadersWords(file: string, document: unknown): unknown {
  if (!isObject(document)) return document;
  if (file === CASE_FILES.config) return configInReadersWords(document);
  if (file === CASE_FILES.stages) return eachOf(document, "stages", stage);
  if (file === CASE_FILES.hydros) return eachOf(document, "hydros", hydro);
  return document;
}

/** The names of these fields in the words of Cobre 0.18, for messages. By file; the readers' names are ends of paths. */
export const LATER_NAMES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  [CASE_FILES.config]: [
    ["training.forward_passes", "training.selection.forward_passes"],
    ["simulation.num_scenarios", "simulation.selection.num_scenarios"],
  ],
  [CASE_FILES.stages]: [["num_scenarios", "num_openings"]],
  [CASE_FILES.hydros]: [["bus_id", "unit_groups[0].bus_id"]],
};

function configInReadersWords(config: Json): Json {
  return withCounts(config, chosen);
}

/** Settings, as changes to the configuration of a case: what they call otherwise than the case is called as there. */
export function settingsInWords(settings: object, dialect: Dialect): object {
  return withCounts({ ...settings }, dialect === "0.18" ? selectionInPlace : countsInPlace);
}

function withCounts(config: Json, change: (section: Json, count: string) => Json): Json {
  return {
    ...config,
    ...(isObject(config.training) && { training: change(config.training, "forward_passes") }),
    ...(isObject(config.simulation) && { simulation: change(config.simulation, "num_scenarios") }),
  };
}

/** Settings with the names that the readers know. A count replaces the selection of every path that the case may have, and the other way round. */
function countsInPlace(section: Json, count: string): Json {
  const known = chosen(section, count);
  if (isEveryPath(known.selection)) return { [count]: null, ...known };
  return count in known && !("selection" in known) ? { ...known, selection: null } : known;
}

/** The same with the names of Cobre 0.18. */
function selectionInPlace(section: Json, count: string): Json {
  const known = counted(section, count);
  const { selection } = known;
  return isEveryPath(selection) ? { ...known, selection: { [count]: null, ...selection } } : known;
}

function isEveryPath(selection: unknown): selection is Json {
  return isObject(selection) && selection.method === "enumerated";
}

/** The opposite of {@link chosen}. */
function counted(section: Json, count: string): Json {
  if (!(count in section) || "selection" in section) return section;
  const { [count]: value, ...others } = section;
  return { ...others, selection: { method: "sampled", [count]: value } };
}

function chosen(section: Json, count: string): Json {
  const { selection, ...others } = section;
  if (!isObject(selection) || selection.method !== "sampled" || count in section) return section;
  const { method: _, ...rest } = selection;
  const isCount = Object.keys(rest).every((key) => key === count);
  return isCount ? { ...others, ...rest } : section;
}

function stage(fields: Json): Json {
  if (!("num_openings" in fields) || "num_scenarios" in fields) return fields;
  const { num_openings, ...others } = fields;
  return { ...others, num_scenarios: num_openings };
}

const GROUP_LIMITS = [
  ["min_generation_mw", Math.max],
  ["max_generation_mw", Math.min],
  ["min_turbined_m3s", Math.max],
  ["max_turbined_m3s", Math.min],
] as const;

/** A plant whose units all feed one bus. Its limits are the narrower ones of the plant and of the group. */
function hydro(fields: Json): Json {
  const { unit_groups: groups, ...others } = fields;
  if (!Array.isArray(groups) || groups.length !== 1 || "bus_id" in fields) return fields;
  const [group] = groups as unknown[];
  if (!isObject(group)) return fields;
  const { id: _id, name: _name, bus_id, ...limits } = group;
  if (Object.keys(limits).some((key) => !GROUP_LIMITS.some(([known]) => known === key))) {
    return fields;
  }
  const generation: Record<string, unknown> = {
    ...(isObject(others.generation) && others.generation),
  };
  for (const [key, narrower] of GROUP_LIMITS) {
    const [ofPlant, ofGroup] = [generation[key], limits[key]];
    if (ofGroup === undefined) continue;
    const areBoth = typeof ofPlant === "number" && typeof ofGroup === "number";
    generation[key] = areBoth ? narrower(ofPlant, ofGroup) : (ofPlant ?? ofGroup);
  }
  return { ...others, bus_id, generation };
}

function eachOf(document: Json, list: string, change: (fields: Json) => Json): Json {
  const entries = document[list];
  if (!Array.isArray(entries)) return document;
  return { ...document, [list]: entries.map((one) => (isObject(one) ? change(one) : one)) };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
