/** Which files of an output directory a run has written. Nothing else in it is ever removed. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { OUTPUT_FILES } from "./output-files.js";

/** The files whose names depend on the case. */
const PATTERNS = [
  /^policy\/states\/stage_\d+\.parquet$/,
  /^simulation\/[a-z_]+(\/[a-z_]+)?\/scenarios_\d+-\d+\.parquet$/,
  /^simulation\/[a-z_]+(\/[a-z_]+)?\/scenario_id=\d+\/data\.parquet$/,
];

const STOCHASTIC = [
  "correlation.json",
  "noise_openings.parquet",
  "inflow_seasonal_stats.parquet",
  "inflow_ar_coefficients.parquet",
  "inflow_annual_component.parquet",
  "load_seasonal_stats.parquet",
];

/** Tells whether the directory can be written. */
export const TRIAL_FILE = ".writable";

const NAMES: ReadonlySet<string> = new Set([
  TRIAL_FILE,
  ...Object.values(OUTPUT_FILES),
  ...STOCHASTIC.map((name) => `stochastic/${name}`),
]);

/** The ending of a file that a killed process left unfinished. */
const UNFINISHED = /\.\d+(-[0-9a-f]{8})?\.partial$/;
const STAGING = /^staged(\.\d+-[0-9a-f]{8})?\.partial$/;

/** Whether a path within an output directory is that of a file of a run. */
function isKnown(name: string): boolean {
  return NAMES.has(name) || PATTERNS.some((pattern) => pattern.test(name));
}

/** The files in a folder of an output directory that are not of a run, as paths within the directory. */
export function foreignFiles(directory: string, folder: string): string[] {
  return [...filesIn(directory, folder)].filter((name) => !isKnown(name.replace(UNFINISHED, "")));
}

/** The unfinished files and staging areas that killed runs left in an output directory, as paths within it. */
export function leftovers(directory: string): string[] {
  const staging = entriesOf(directory).flatMap((entry) =>
    entry.isDirectory() && STAGING.test(entry.name) ? [entry.name] : [],
  );
  const unfinished = ["", "policy", "training", "simulation", "stochastic", "hydro_models"]
    .flatMap((folder) => [...filesIn(directory, folder, folder !== "")])
    .filter((name) => UNFINISHED.test(name) && isKnown(name.replace(UNFINISHED, "")));
  return [...staging, ...unfinished];
}

function* filesIn(directory: string, folder: string, isDeep = true): Generator<string> {
  for (const entry of entriesOf(join(directory, folder))) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) yield name;
    else if (isDeep) yield* filesIn(directory, name);
  }
}

/** Nothing if there is no such directory. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return [];
    throw cause;
  }
}
