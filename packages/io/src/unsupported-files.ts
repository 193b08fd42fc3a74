import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CASE_FILES, type IssueCollector, type ProductionModelInput } from "@cobre/core";
import { placeOfMark } from "./dialect/marks.js";
import { type CaseDirectory, dialectOf, MemoryCase, pathOf } from "./memory/memory-case.js";
import { unsupported } from "./unsupported.js";

/** Files that change results just by being there, and what they ask for. A Parquet file may also be CSV. */
export const REFUSED_FILES: Readonly<Record<string, string>> = {
  "system/scalar_parameters.json": "parameters of generic constraints",
};

/** Files that only cases of one dialect have, and what those of the other have instead. */
const LATER_ONLY: Readonly<Record<string, string>> = {
  [CASE_FILES.energyProductivity]: "productivities by stage",
  [CASE_FILES.genericParameters]: "parameters of generic constraints",
};
const EARLIER_ONLY: Readonly<Record<string, string>> = {
  [CASE_FILES.exchangeFactors]: `give capacities in MW by block_id in ${CASE_FILES.lineBounds}`,
};

const TAILRACE_CURVES = "system/tailrace_curves.parquet";

/** Files that only features use which are refused where they are asked for. */
const UNUSED: Readonly<Record<string, string>> = {
  [TAILRACE_CURVES]: "fpha uses it where planes are fitted, and no plant of this case has such",
  "scenarios/external_inflow_scenarios.parquet": "no scheme of this case is external",
  "scenarios/external_load_scenarios.parquet": "no scheme of this case is external",
  "scenarios/external_ncs_scenarios.parquet": "no scheme of this case is external",
};

const FOLDERS = ["system", "scenarios", "constraints"];

/** Reports files of features that this version does not support, and files that are not part of a case. */
export async function checkUnsupportedFiles(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<void> {
  for (const [file, what] of Object.entries(REFUSED_FILES)) {
    const found = await existing(directory, file);
    if (found !== undefined) unsupported(issues, found, undefined, what);
  }
  const isLater = dialectOf(directory) === "0.18";
  for (const [file, instead] of Object.entries(isLater ? EARLIER_ONLY : LATER_ONLY)) {
    const found = await existing(directory, file);
    if (found === undefined) continue;
    if (isLater) {
      const remedy = `the case is written for Cobre 0.18, see ${placeOfMark("0.18")}: ${instead}`;
      issues.error("schema", { file: found }, "is a file of Cobre 0.5", remedy);
    } else unsupported(issues, found, undefined, `${instead} (Cobre 0.18)`);
  }
  await checkUnknownFiles(directory, issues);
}

/** Warns about files of features that nothing in the case asks for. Only for a case without errors: one of them may be about a feature. */
export async function checkUnusedFiles(
  directory: CaseDirectory,
  issues: IssueCollector,
  usesOpenings: boolean,
): Promise<void> {
  if (issues.errors.length > 0) return;
  const undeclared = 'training.scenario_source.openings is not {"source": "file"}';
  const unused = { ...UNUSED, ...(!usesOpenings && { [CASE_FILES.noiseOpenings]: undeclared }) };
  for (const [file, why] of Object.entries(unused)) {
    const found = await existing(directory, file);
    if (found !== undefined) issues.warning("schema", { file: found }, "has no effect", why);
  }
}

/** Refuses levels below plants that planes would have to be fitted to: without them these would be planes of another plant. */
export async function checkTailraceCurves(
  directory: CaseDirectory,
  models: readonly ProductionModelInput[],
  issues: IssueCollector,
): Promise<void> {
  const isFitted = models.some(({ ranges, seasons }) =>
    [...ranges, ...(seasons?.list ?? [])].some(
      ({ model, fpha }) => model === "fpha" && fpha?.source === "computed",
    ),
  );
  const file = isFitted ? await existing(directory, TAILRACE_CURVES) : undefined;
  if (file === undefined) return;
  const what = "planes fitted to levels that depend on the plant downstream";
  unsupported(issues, file, undefined, what);
}

/** Tells that a case for Cobre 0.18 has not got the file of openings that it asks for. */
export async function checkOpenings(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<void> {
  const file = CASE_FILES.noiseOpenings;
  if ((await existing(directory, file)) !== undefined) return;
  const remedy =
    'training.scenario_source.openings asks for it: add it, or give {"source": "generated"}';
  issues.error("schema", { file }, "is missing", remedy);
}

/**
 * Refuses a history of inflows without coefficients: then the coefficients have to be fitted to it. To go on without them would take the
 * inflows of successive stages for independent.
 */
export async function checkHistory(
  directory: CaseDirectory,
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

/** The file, or its CSV form, if there is one. */
async function existing(directory: CaseDirectory, file: string): Promise<string | undefined> {
  if (directory instanceof MemoryCase) return directory.has(file) ? file : undefined;
  const [folder = "", name = ""] = file.includes("/") ? file.split("/") : ["", file];
  const names = new Set(await namesIn(join(pathOf(directory) ?? "", folder)));
  const found = [name, name.replace(/\.parquet$/, ".csv")].find((one) => names.has(one));
  return found === undefined ? undefined : join(folder, found);
}

/** Warns about tables and JSON files that nothing reads, which may be misspelt. */
async function checkUnknownFiles(directory: CaseDirectory, issues: IssueCollector): Promise<void> {
  const path = pathOf(directory);
  if (path === undefined) return; // a case in memory knows itself what nobody has asked for
  const known = new Set([
    ...Object.values(CASE_FILES),
    ...Object.keys({ ...REFUSED_FILES, ...UNUSED }),
  ]);
  for (const folder of FOLDERS) {
    for (const name of (await namesIn(join(path, folder))).sort()) {
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
