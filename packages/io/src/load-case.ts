import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  buildStudy,
  IssueCollector,
  type Study,
  ValidationError,
  type ValidationIssue,
} from "@cobre/core";
import { OpeningTree, Seeds, sampleOpenings, useGivenOpenings } from "@cobre/stochastic";
import { type Config, readConfig } from "./files/config.js";
import { type Life, readSystem } from "./files/entities.js";
import { readGeometry } from "./files/geometry.js";
import { readPenalties } from "./files/penalties.js";
import { readProduction } from "./files/production.js";
import { readCorrelation, readInitialConditions, readLoadFactors } from "./files/small-files.js";
import { readStages } from "./files/stages.js";
import {
  readAnnualComponents,
  readAutoregressions,
  readInflowStatistics,
  readLoadStatistics,
  readNoiseOpenings,
  readOverrides,
} from "./files/tables.js";
import { buildUncertainty, type Uncertainty } from "./stochastic-input.js";
import { checkHistory, checkUnsupportedFiles, checkUnusedFiles } from "./unsupported-files.js";
import {
  checkBlockModes,
  checkInflowPenalty,
  checkLives,
  checkSettings,
} from "./unsupported-settings.js";

/** A case directory that was read and has no errors. */
export interface Case {
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

/**
 * Reads a case directory. {@link mergePatch} merges `settings` into its `config.json`.
 *
 * @throws {@link ValidationError} with everything that is wrong
 * @example
 * ```ts
 * const { config, study, uncertainty } = await loadCase("cases/1dtoy");
 * ```
 */
export async function loadCase(directory: string, settings?: object): Promise<Case> {
  const validation = await validateCase(directory, settings);
  if (validation.case === undefined) throw new ValidationError(validation.issues);
  return validation.case;
}

/**
 * Reads a case directory and reports everything that is wrong with it, in five layers: files and schema, references, physical
 * sense, stochastic consistency, dimensions. If a file could not be read in full, the later layers are not checked.
 */
export async function validateCase(directory: string, settings?: object): Promise<CaseValidation> {
  const issues = new IssueCollector();
  const found = await readAndBuild(resolve(directory), issues, settings);
  const isUsable = found !== undefined && issues.errors.length === 0;
  return {
    case: isUsable
      ? { ...found, directory: resolve(directory), warnings: issues.warnings }
      : undefined,
    issues: issues.issues,
  };
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
  directory: string,
  issues: IssueCollector,
  settings: object | undefined,
): Promise<Pick<Case, "config" | "study" | "uncertainty"> | undefined> {
  if (!(await isDirectory(directory))) {
    issues.error(
      "schema",
      { file: directory },
      "is not a directory",
      "give the directory that holds config.json",
    );
    return undefined;
  }
  const config = await readConfig(directory, issues, settings);
  const penalties = await readPenalties(directory, issues);
  const time = await readStages(directory, issues);
  const lives: Life[] = [];
  const system = await readSystem(directory, issues, lives);
  const production = await readProduction(directory, issues);
  const hydroGeometry = await readGeometry(directory, issues);
  const initialConditions = await readInitialConditions(directory, issues);
  const loadFactors = await readLoadFactors(directory, issues);
  const correlation = await readCorrelation(directory, issues);
  const overrides = await readOverrides(directory, issues, config?.compat !== undefined);
  const inflowStatistics = await readInflowStatistics(directory, issues);
  const stochastic = {
    inflowStatistics: inflowStatistics ?? [],
    autoregressions: await readAutoregressions(directory, issues),
    annualComponents: await readAnnualComponents(directory, issues),
    loadStatistics: (await readLoadStatistics(directory, issues)) ?? [],
    correlation,
    openings: await readNoiseOpenings(directory, issues),
  };
  await checkUnsupportedFiles(directory, issues, config?.compat);
  if (config !== undefined) checkSettings(config, issues);
  if (time !== undefined) {
    checkLives(lives, time, issues, config?.compat);
    checkBlockModes(time, issues, config?.compat);
  }
  await checkUnusedFiles(directory, issues);
  const isRead =
    config !== undefined &&
    penalties !== undefined &&
    time !== undefined &&
    system !== undefined &&
    initialConditions !== undefined;
  // Placeholders for values that could not be read would only cause more errors.
  if (!isRead || issues.errors.length > 0) return undefined;
  if (system.hydros.length > 0) {
    await checkHistory(directory, issues, inflowStatistics !== undefined);
  }
  const study = buildStudy(
    {
      system,
      penalties,
      time,
      initialConditions,
      loadFactors,
      production,
      hydroGeometry,
      compat: config.compat,
      ...overrides,
    },
    issues,
  );
  checkInflowPenalty(config, study, issues);
  if (inflowStatistics === undefined && system.hydros.length > 0) return undefined;
  const uncertainty = buildUncertainty(stochastic, study, issues);
  return uncertainty && { config, study, uncertainty };
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
