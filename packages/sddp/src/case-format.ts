import { CASE_FILES, DEFAULT_DIALECT, type Dialect } from "@cobre/core";
import {
  type AlgorithmFormats,
  type Case,
  CaseFormat,
  type CaseInput,
  type CaseSchema,
  type CaseValidation,
  type Migration,
  migrateCase as writeMigrated,
} from "@cobre/io";
import {
  cutSelectionsWith,
  type Plugins,
  riskMeasuresWith,
  stoppingRuleOf,
  stoppingRulesWith,
} from "./plugins.js";
import { isRiskNeutral } from "./risk/stage-risks.js";
import { enumerationFaults } from "./sampling/enumeration.js";

/**
 * Reads a case: a directory, a JSON file that holds a `CaseInput`, or such an object. `mergePatch` merges `settings` into its configuration.
 *
 * @param plugins algorithms of your own, which the case may name
 * @throws `ValidationError` with everything that is wrong
 * @example
 * ```ts
 * const { config, study, uncertainty } = await loadCase("cases/1dtoy");
 * ```
 */
export function loadCase(
  source: string | CaseInput,
  settings?: object,
  plugins?: Plugins,
): Promise<Case> {
  return formatOf(plugins).load(source, settings);
}

/**
 * Reads a case and reports everything that is wrong with it, in five layers: files and schema, references, physical
 * sense, stochastic consistency, dimensions. If a file could not be read in full, the later layers are not checked.
 *
 * @param plugins algorithms of your own, which the case may name
 * @example
 * ```ts
 * const { case: source, issues } = await validateCase("cases/1dtoy");
 * for (const { file, problem, remedy } of issues) console.log(`${file}: ${problem}; ${remedy}`);
 * ```
 */
export function validateCase(
  source: string | CaseInput,
  settings?: object,
  plugins?: Plugins,
): Promise<CaseValidation> {
  return formatOf(plugins).validate(source, settings);
}

/**
 * The JSON Schemas (2020-12) of all files of a case, made from the code that reads them; of a table (Parquet or CSV) the schema of a row.
 * A schema knows fields, types, ranges and choices. What goes across fields and files only {@link validateCase} knows.
 *
 * @param plugins algorithms of your own, whose settings the schemas get, too
 * @param dialect the version of Cobre for which the case is written
 * @example
 * ```ts
 * for (const { file, schema } of caseSchemas()) console.log(file, Object.keys(schema.properties ?? {}));
 * ```
 */
export function caseSchemas(
  plugins?: Plugins,
  dialect: Dialect = DEFAULT_DIALECT,
): readonly CaseSchema[] {
  return formatOf(plugins).schemas(dialect);
}

/**
 * Writes a case directory for Cobre 0.5 as one for Cobre 0.18. Both have the same optimum, but for what the notes of the result say.
 *
 * @param target a directory that does not exist or is empty
 * @throws `ValidationError` if the case has faults, `OutputError` if it cannot be written
 * @example
 * ```ts
 * const { notes } = await migrateCase("cases/1dtoy", "cases/1dtoy-0.18");
 * for (const { file, what, problem } of notes) console.log(`${file}: ${what}: ${problem}`);
 * ```
 */
export async function migrateCase(
  directory: string,
  target: string,
  plugins?: Plugins,
): Promise<Migration> {
  return writeMigrated(await loadCase(directory, undefined, plugins), target);
}

/** How all algorithms are written in a case, and what they need of it. */
export function formatsWith(plugins: Plugins): AlgorithmFormats {
  return {
    stoppingRules: stoppingRulesWith(plugins),
    riskMeasures: riskMeasuresWith(plugins),
    cutSelections: cutSelectionsWith(plugins),
    check: (config, study, issues) => {
      const { stoppingRules, isEnumerated = false } = config.training;
      const { graph, stages } = study.time;
      const facts = {
        isRiskNeutral: isRiskNeutral(study, plugins),
        isCyclic: graph.isCyclic,
        isEnumerated,
      };
      const file = CASE_FILES.config;
      const openings = (node: number) => stages[graph.nodes[node].stage].openings;
      for (const { field, problem, remedy } of enumerationFaults(config, graph, openings)) {
        issues.error("references", { file, field }, problem, remedy);
      }
      stoppingRules.forEach((rule, i) => {
        const fault = stoppingRuleOf(rule, plugins).faultIn?.(rule, facts);
        if (fault === undefined) return;
        const place = { file, field: `training.stopping_rules[${i}]` };
        issues.error("references", place, fault.problem, fault.remedy);
      });
    },
  };
}

function formatOf(plugins: Plugins = {}): CaseFormat {
  return new CaseFormat(formatsWith(plugins));
}
