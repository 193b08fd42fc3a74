import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  buildStudy,
  IssueCollector,
  type Study,
  ValidationError,
  type ValidationIssue,
} from "@cobre/core";
import {
  type InflowAutoregression,
  OpeningTree,
  Seeds,
  sampleOpenings,
  useGivenOpenings,
} from "@cobre/stochastic";
import type { AlgorithmFormats } from "./algorithms.js";
import { checkAvailability } from "./availability-input.js";
import { inLaterWords } from "./dialect/later-words.js";
import { recogniseDialect } from "./dialect/marks.js";
import { withEveryPath } from "./every-path.js";
import { readPostStudyStages } from "./files/commitments.js";
import { type Config, readConfig } from "./files/config.js";
import { type Life, readSystem } from "./files/entities.js";
import { readExchangeFactors } from "./files/exchange-factors.js";
import { readGenericBounds, readGenericConstraints } from "./files/generic-constraints.js";
import { readGenericParameters } from "./files/generic-parameters.js";
import { readGeometry } from "./files/geometry.js";
import {
  readAvailabilityStatistics,
  readNonControllableFactors,
  readNonControllables,
} from "./files/non-controllables.js";
import { readPenalties } from "./files/penalties.js";
import { readProduction } from "./files/production.js";
import { readPumpingAndContracts } from "./files/pumping-and-contracts.js";
import { readCorrelation, readInitialConditions, readLoadFactors } from "./files/small-files.js";
import { readStages } from "./files/stages.js";
import {
  readAnnualComponents,
  readAutoregressions,
  readInflowHistory,
  readInflowStatistics,
  readLoadStatistics,
  readNoiseOpenings,
  readOverrides,
} from "./files/tables.js";
import { readUnitGroupBounds } from "./files/unit-groups.js";
import { pastInflowsOf } from "./lag-windows.js";
import { lookFurther } from "./look-further.js";
import { parsedJson, readCaseFile } from "./memory/case-file.js";
import type { CaseInput } from "./memory/case-input.js";
import { type CaseDirectory, dialectOf, MemoryCase, pathOf } from "./memory/memory-case.js";
import { settingsInWords } from "./memory/spellings.js";
import { buildUncertainty, type Uncertainty } from "./stochastic-input.js";
import {
  checkHistory,
  checkOpenings,
  checkTailraceCurves,
  checkUnsupportedFiles,
  checkUnusedFiles,
} from "./unsupported-files.js";
import {
  checkBlockModes,
  checkBoundary,
  checkIgnored,
  checkInflowPenalty,
  checkLives,
  checkSettings,
} from "./unsupported-settings.js";

/** A case that was read and has no errors. */
export interface Case {
  /** What results and messages call it. */
  readonly name: string;
  /** The directory or file that was read; `undefined` for an object. */
  readonly path: string | undefined;
  /** What relative paths in the configuration start from. */
  readonly directory: string;
  readonly config: Config;
  readonly study: Study;
  readonly uncertainty: Uncertainty;
  readonly warnings: readonly ValidationIssue[];
}

/** The result of a validation. There is a case if there is no error. */
export interface CaseValidation {
  readonly case: Case | undefined;
  readonly issues: readonly ValidationIssue[];
}

/** Reads a case, and throws a {@link ValidationError} with everything that is wrong. */
export async function loadCase(
  source: string | CaseInput,
  formats: AlgorithmFormats,
  settings?: object,
): Promise<Case> {
  const validation = await validateCase(source, formats, settings);
  if (validation.case === undefined) throw new ValidationError(validation.issues);
  return validation.case;
}

/**
 * Reads a case, as {@link loadCase} does, and reports everything that is wrong with it, in five layers: files and schema, references, physical
 * sense, stochastic consistency, dimensions. Where something could not be read, what may follow from it is not told.
 */
export async function validateCase(
  source: string | CaseInput,
  formats: AlgorithmFormats,
  settings?: object,
): Promise<CaseValidation> {
  const issues = new IssueCollector();
  if (typeof source !== "string") {
    const place = { path: undefined, directory: resolve() };
    return validated(new MemoryCase(source), place, formats, settings);
  }
  const path = resolve(source);
  if (await isFile(path)) {
    const read = await readCaseFile(path, issues);
    if (read === undefined) return { case: undefined, issues: issues.issues };
    return validated(read, { path, directory: dirname(path) }, formats, settings);
  }
  const dialect = await recogniseDialect((file) => parsedJson(join(path, file)));
  return validated({ path, dialect }, { path, directory: path }, formats, settings);
}

async function validated(
  source: CaseDirectory,
  place: Pick<Case, "path" | "directory">,
  formats: AlgorithmFormats,
  settings: object | undefined,
): Promise<CaseValidation> {
  const issues = new IssueCollector();
  const memory = source instanceof MemoryCase ? source : undefined;
  const dialect = dialectOf(source);
  const patch = settings && settingsInWords(settings, dialect);
  const found = await readAndBuild(source, issues, formats, patch);
  memory?.checkUnread(issues);
  const spelt = dialect === "0.18" ? issues.issues.map(inLaterWords) : issues.issues;
  const told = memory === undefined ? spelt : spelt.map((issue) => memory.placed(issue));
  const name = memory?.name ?? basename(pathOf(source) ?? "");
  const isUsable = found !== undefined && issues.errors.length === 0;
  const warnings = told.filter(({ severity }) => severity === "warning");
  return { case: isUsable ? { ...found, name, ...place, warnings } : undefined, issues: told };
}

/**
 * Fills the opening tree of a case: sampled with the seed of the configuration, or as given in the case. `values` may be shared
 * memory; its length must be {@link openingTreeLength}.
 */
export function fillOpeningTree({ config, uncertainty }: Case, values: Float64Array): OpeningTree {
  const { treeStages, layout, correlation, openings } = uncertainty;
  const tree = new OpeningTree(treeStages, layout.dimension, values);
  sampleOpenings(tree, new Seeds(config.training.treeSeed), correlation);
  if (openings !== undefined) useGivenOpenings(tree, layout, openings);
  return tree;
}

/** The number of values in the opening tree of a case. */
export function openingTreeLength({ uncertainty }: Case): number {
  return OpeningTree.length(uncertainty.treeStages, uncertainty.layout.dimension);
}

async function readAndBuild(
  directory: CaseDirectory,
  issues: IssueCollector,
  formats: AlgorithmFormats,
  settings: object | undefined,
): Promise<Pick<Case, "config" | "study" | "uncertainty"> | undefined> {
  const path = pathOf(directory);
  const isLater = dialectOf(directory) === "0.18";
  if (path !== undefined && !(await isDirectory(path))) {
    issues.error(
      "schema",
      { file: path },
      "is not a directory",
      "give the directory that holds config.json, or a case in one JSON file",
    );
    return undefined;
  }
  const config = await readConfig(directory, issues, formats, settings);
  const penalties = await readPenalties(directory, issues);
  const time = await readStages(directory, issues, formats);
  const lives: Life[] = [];
  const system = await readSystem(directory, issues, lives);
  const production = await readProduction(directory, issues);
  const hydroGeometry = await readGeometry(directory, issues);
  const initialConditions = await readInitialConditions(directory, issues);
  const postStudy = await readPostStudyStages(directory, issues);
  const loadFactors = await readLoadFactors(directory, issues);
  const correlation = await readCorrelation(directory, issues);
  const unitGroupBounds = await readUnitGroupBounds(directory, issues);
  const overrides = await readOverrides(directory, issues, config?.compat !== undefined);
  const nonControllables = await readNonControllables(directory, issues);
  const nonControllableFactors = await readNonControllableFactors(directory, issues);
  const pumpingAndContracts = await readPumpingAndContracts(
    directory,
    issues,
    config?.compat !== undefined,
  );
  const exchangeFactors = isLater ? [] : await readExchangeFactors(directory, issues);
  const generic = await readGenericConstraints(directory, issues);
  const genericBounds = await readGenericBounds(directory, issues);
  const genericParameters = isLater ? await readGenericParameters(directory, issues) : [];
  const inflowStatistics = await readInflowStatistics(directory, issues);
  // Cobre 0.18 uses the openings of a file only if it is told to.
  const asksForOpenings = isLater && config?.training.scenarioSource.openings === "file";
  const usesOpenings = !isLater || asksForOpenings;
  if (asksForOpenings) await checkOpenings(directory, issues);
  const stochastic = {
    inflowStatistics: inflowStatistics ?? [],
    autoregressions: await readAutoregressions(directory, issues),
    annualComponents: await readAnnualComponents(directory, issues),
    loadStatistics: (await readLoadStatistics(directory, issues)) ?? [],
    correlation,
    openings: usesOpenings ? await readNoiseOpenings(directory, issues) : undefined,
    availability: await readAvailabilityStatistics(directory, issues),
  };
  const history = isLater ? await readInflowHistory(directory, issues) : [];
  await checkUnsupportedFiles(directory, issues);
  if (config !== undefined) checkSettings(config, issues);
  if (time !== undefined) {
    checkLives(lives, time, issues, config?.compat);
    checkBlockModes(time, issues, config?.compat);
  }
  if (system !== undefined) checkIgnored(system, issues, config?.compat);
  await checkTailraceCurves(directory, production.models, issues);
  await checkUnusedFiles(directory, issues, usesOpenings);
  const isRead =
    config !== undefined &&
    penalties !== undefined &&
    time !== undefined &&
    system !== undefined &&
    initialConditions !== undefined;
  if (!isRead) return undefined;
  const build = async (found: IssueCollector) => {
    if (system.hydros.length > 0) {
      await checkHistory(directory, found, inflowStatistics !== undefined);
    }
    const { observations = [], ...initial } = initialConditions;
    const lags = lagsOf(stochastic.autoregressions, stochastic.annualComponents.length > 0);
    const pastInflows = isLater
      ? pastInflowsOf(history, observations, time, lags, found)
      : initial.pastInflows;
    const { pumpingStations, energyContracts, ...bounds } = pumpingAndContracts;
    const study = buildStudy(
      {
        system: { ...system, nonControllables, pumpingStations, energyContracts },
        ...bounds,
        penalties,
        time,
        initialConditions: { ...initial, pastInflows: pastInflows ?? [] },
        postStudy,
        unitGroupBounds,
        loadFactors,
        nonControllableFactors,
        exchangeFactors,
        genericConstraints: generic.constraints,
        namedExpressions: generic.expressions,
        genericParameters,
        genericBounds,
        production,
        hydroGeometry,
        dialect: dialectOf(directory),
        compat: config.compat,
        ...overrides,
      },
      found,
    );
    checkAvailability(stochastic.availability, overrides.nonControllableBounds ?? [], study, found);
    checkInflowPenalty(config, study, found);
    checkBoundary(config, study, found);
    if (found.errors.length === 0) {
      formats.check?.(config, study, found);
    }
    if (inflowStatistics === undefined && system.hydros.length > 0) return undefined;
    const uncertainty = buildUncertainty(stochastic, study, found);
    return uncertainty && { config: withEveryPath(config, study.time.graph), study, uncertainty };
  };
  if (issues.errors.length === 0) return build(issues);
  await lookFurther(issues, build);
  return undefined;
}

const MONTHS = 12;

/** How many seasons the inflow model looks back. */
function lagsOf(rows: readonly InflowAutoregression[], hasAnnual: boolean): number {
  const order = Math.max(0, ...rows.map(({ coefficients }) => coefficients.length));
  return hasAnnual ? Math.max(MONTHS, order) : order;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
