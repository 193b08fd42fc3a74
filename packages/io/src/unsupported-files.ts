import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CASE_FILES, type IssueCollector } from "@cobre/core";
import type { Config } from "./files/config.js";
import type { ObjectReader } from "./json/object-reader.js";
import { readJson } from "./json/read-json.js";
import { unsupported } from "./unsupported.js";

/** JSON files that hold one list, and the unsupported feature that a nonempty list asks for. */
export const LISTS: readonly [file: string, list: string, what: string][] = [
  ["system/non_controllable_sources.json", "non_controllable_sources", "non-controllable sources"],
  [
    "scenarios/non_controllable_factors.json",
    "non_controllable_factors",
    "factors on non-controllable sources",
  ],
  ["constraints/generic_constraints.json", "constraints", "generic constraints"],
  ["constraints/exchange_factors.json", "exchange_factors", "factors on the capacity of lines"],
];

/** As {@link LISTS}, but Cobre 0.5 reads these files and does nothing with them. */
export const LISTS_WITHOUT_EFFECT: readonly [file: string, list: string, what: string][] = [
  ["system/pumping_stations.json", "pumping_stations", "pumping stations"],
  ["system/energy_contracts.json", "contracts", "energy contracts"],
];

/** Files that change results just by being there, and what they ask for. A Parquet file may also be CSV. */
const FILES: Readonly<Record<string, string>> = {
  "post_study_stages.json": "stages behind the study (Cobre 0.18)",
  "system/hydro_energy_productivity.parquet": "productivities by stage (Cobre 0.18)",
  "system/scalar_parameters.json": "parameters of generic constraints",
  "scenarios/non_controllable_stats.parquet": "non-controllable sources",
  "constraints/ncs_bounds.parquet": "bounds of non-controllable sources",
  "constraints/penalty_overrides_ncs.parquet": "penalties of non-controllable sources",
  "constraints/pumping_bounds.parquet": "bounds of pumping stations",
  "constraints/contract_bounds.parquet": "bounds of energy contracts",
  "constraints/generic_constraint_bounds.parquet": "generic constraints",
  "constraints/generic_parameters.json": "parameters of generic constraints (Cobre 0.18)",
  "constraints/hydro_unit_group_bounds.parquet": "bounds of groups of units (Cobre 0.18)",
};

/** Files that only features use which are refused where they are asked for. */
const UNUSED: Readonly<Record<string, string>> = {
  "system/tailrace_curves.parquet": "fpha uses it, and no plant of this case has it",
  "scenarios/external_inflow_scenarios.parquet": "no scheme of this case is external",
  "scenarios/external_load_scenarios.parquet": "no scheme of this case is external",
  "scenarios/external_ncs_scenarios.parquet": "no scheme of this case is external",
};

const FOLDERS = ["system", "scenarios", "constraints"];

/** Reports files of features that this version does not support, and files that are not part of a case. */
export async function checkUnsupportedFiles(
  directory: string,
  issues: IssueCollector,
  compat: Config["compat"],
): Promise<void> {
  for (const [file, list, what] of LISTS) {
    const root = await readJson(directory, file, issues, true);
    if (root !== undefined) onlyEmpty(root, file, list, what, issues);
  }
  for (const [file, list, what] of LISTS_WITHOUT_EFFECT) {
    if ((await listOf(directory, file, list, issues)) === 0) continue;
    if (compat === undefined) unsupported(issues, file, list, what);
    else issues.warning("schema", { file, field: list }, "has no effect", "as in Cobre 0.5");
  }
  for (const [file, what] of Object.entries(FILES)) {
    const found = await existing(directory, file);
    if (found !== undefined) unsupported(issues, found, undefined, what);
  }
  await checkUnknownFiles(directory, issues);
}

/** Warns about files of features that nothing in the case asks for. Only for a case without errors: one of them may be about a feature. */
export async function checkUnusedFiles(directory: string, issues: IssueCollector): Promise<void> {
  if (issues.errors.length > 0) return;
  for (const [file, why] of Object.entries(UNUSED)) {
    const found = await existing(directory, file);
    if (found !== undefined) issues.warning("schema", { file: found }, "has no effect", why);
  }
}

/**
 * Refuses a history of inflows without coefficients: then the coefficients have to be fitted to it. To go on without them would take the
 * inflows of successive stages for independent.
 */
export async function checkHistory(
  directory: string,
  issues: IssueCollector,
  hasStatistics: boolean,
): Promise<void> {
  const file = await existing(directory, CASE_FILES.inflowHistory);
  if (file === undefined) {
    if (hasStatistics) return;
    issues.error(
      "stochastic",
      { file: CASE_FILES.inflowStatistics },
      "is missing",
      "hydro plants need the mean and standard deviation of their inflows",
    );
    return;
  }
  if (!hasStatistics) {
    unsupported(issues, file, undefined, "a model estimated from the history");
    return;
  }
  if (await existing(directory, CASE_FILES.inflowAutoregressions)) return;
  issues.error(
    "stochastic",
    { file },
    "asks for coefficients fitted to the history",
    `this version cannot do that yet; give them in ${CASE_FILES.inflowAutoregressions}, or remove the history if inflows of successive stages are independent`,
  );
}

async function listOf(
  directory: string,
  file: string,
  list: string,
  issues: IssueCollector,
): Promise<number> {
  const root = await readJson(directory, file, issues, true);
  return (root?.optionalList(list) ?? []).length;
}

/** What a file of one list may say: nothing. */
export function onlyEmpty(
  root: ObjectReader,
  file: string,
  list: string,
  what: string,
  issues: IssueCollector,
): void {
  if ((root.optionalList(list) ?? []).length > 0) unsupported(issues, file, list, what);
}

/** The file, or its CSV form, if there is one. */
async function existing(directory: string, file: string): Promise<string | undefined> {
  const [folder = "", name = ""] = file.includes("/") ? file.split("/") : ["", file];
  const names = new Set(await namesIn(join(directory, folder)));
  const found = [name, name.replace(/\.parquet$/, ".csv")].find((one) => names.has(one));
  return found === undefined ? undefined : join(folder, found);
}

/** Warns about tables and JSON files that nothing reads, which may be misspelt. */
async function checkUnknownFiles(directory: string, issues: IssueCollector): Promise<void> {
  const known = new Set([
    ...Object.values(CASE_FILES),
    ...[...LISTS, ...LISTS_WITHOUT_EFFECT].map(([file]) => file),
    ...Object.keys({ ...FILES, ...UNUSED }),
  ]);
  for (const folder of FOLDERS) {
    for (const name of (await namesIn(join(directory, folder))).sort()) {
      if (!/\.(json|parquet|csv)$/.test(name)) continue;
      const file = `${folder}/${name}`;
      if (known.has(file) || known.has(file.replace(/\.csv$/, ".parquet"))) continue;
      issues.warning("schema", { file }, "is not a file of a case", "it is not read");
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // the files that must be there are reported where they are read
  }
}
