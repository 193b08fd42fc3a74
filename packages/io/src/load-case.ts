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
import { readSystem } from "./files/entities.js";
import { readPenalties } from "./files/penalties.js";
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
import {
  checkSettings,
  checkUnsupportedFiles,
  reportMissingStatistics,
} from "./unsupported-files.js";

/** A case directory, read and found to be in order. */
export interface Case {
  readonly directory: string;
  readonly config: Config;
  readonly study: Study;
  readonly uncertainty: Uncertainty;
  readonly warnings: readonly ValidationIssue[];
}

/** What a validation found. There is a case if there is no error. */
export interface CaseValidation {
  readonly case: Case | undefined;
  readonly issues: readonly ValidationIssue[];
}

/**
 * Reads a case directory. `settings` are laid over its `config.json` by {@link mergePatch}.
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
 * Reads a case directory and tells everything that is wrong with it, in five layers: files and schema, references, physical
 * sense, stochastic consistency, dimensions. Values of files that could not be read in full are not judged further.
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
 * Fills the opening tree of a case: drawn with the seed of the configuration, or as given. `values` may lie in shared memory; it
 * must have as many numbers as {@link openingTreeLength} says.
 */
export function fillOpeningTree({ config, uncertainty }: Case, values: Float64Array): OpeningTree {
  const { treeStages, layout, correlation, openings } = uncertainty;
  const tree = new OpeningTree(treeStages, layout.dimension, values);
  sampleOpenings(tree, new Seeds(config.training.treeSeed), correlation);
  if (openings !== undefined) useGivenOpenings(tree, layout, openings);
  return tree;
}

/** How many numbers the opening tree of a case has. */
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
  const system = await readSystem(directory, issues);
  const initialConditions = await readInitialConditions(directory, issues);
  const loadFactors = await readLoadFactors(directory, issues);
  const correlation = await readCorrelation(directory, issues);
  const overrides = await readOverrides(directory, issues);
  const inflowStatistics = await readInflowStatistics(directory, issues);
  const stochastic = {
    inflowStatistics: inflowStatistics ?? [],
    autoregressions: await readAutoregressions(directory, issues),
    annualComponents: await readAnnualComponents(directory, issues),
    loadStatistics: (await readLoadStatistics(directory, issues)) ?? [],
    correlation,
    openings: await readNoiseOpenings(directory, issues),
  };
  await checkUnsupportedFiles(directory, issues);
  if (config !== undefined) checkSettings(config, issues);
  const isRead =
    config !== undefined &&
    penalties !== undefined &&
    time !== undefined &&
    system !== undefined &&
    initialConditions !== undefined;
  // Values that stand in for what could not be read would only be reported again.
  if (!isRead || issues.errors.length > 0) return undefined;
  if (inflowStatistics === undefined && system.hydros.length > 0) {
    await reportMissingStatistics(directory, issues);
  }
  const study = buildStudy(
    { system, penalties, time, initialConditions, loadFactors, ...overrides },
    issues,
  );
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
