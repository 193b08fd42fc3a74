import { DEFAULT_DIALECT, type Dialect } from "@cobre/core";
import type { AlgorithmFormats } from "./algorithms.js";
import { type Case, type CaseValidation, loadCase, validateCase } from "./load-case.js";
import type { CaseInput } from "./memory/case-input.js";
import { type CaseSchema, caseSchemas } from "./schema/case-schemas.js";

/**
 * The format of case directories: the files that this package knows, with the settings of the algorithms that it is given. `@cobre/sddp` has
 * the usual one as `loadCase`, `validateCase` and `caseSchemas`.
 *
 * @example
 * ```ts
 * const format = new CaseFormat({
 *   stoppingRules: [
 *     {
 *       type: "iteration_limit",
 *       example: '{"type": "iteration_limit", "limit": …}',
 *       read: (settings) => ({ type: "iteration_limit", limit: settings.integer("limit", { min: 1 }) }),
 *     },
 *   ],
 *   riskMeasures: [{ kind: "expectation", example: '"expectation"' }],
 *   cutSelections: [{ method: "level1", read: () => ({}) }],
 * });
 * const { config, study, uncertainty } = await format.load("cases/1dtoy");
 * ```
 */
export class CaseFormat {
  private readonly algorithms: AlgorithmFormats;

  constructor(algorithms: AlgorithmFormats) {
    this.algorithms = algorithms;
  }

  /**
   * Reads a case: a directory, a JSON file that holds a {@link CaseInput}, or such an object. `mergePatch` merges `settings` into its
   * configuration.
   *
   * @throws `ValidationError` with everything that is wrong
   */
  load(source: string | CaseInput, settings?: object): Promise<Case> {
    return loadCase(source, this.algorithms, settings);
  }

  /**
   * Reads a case and reports everything that is wrong with it, in five layers: files and schema, references, physical
   * sense, stochastic consistency, dimensions. Where something could not be read, what may follow from it is not told.
   */
  validate(source: string | CaseInput, settings?: object): Promise<CaseValidation> {
    return validateCase(source, this.algorithms, settings);
  }

  /**
   * The JSON Schemas (2020-12) of all files of a case, made from the code that reads them; of a table (Parquet or CSV) the schema of a row.
   * A schema knows fields, types, ranges and choices. What goes across fields and files only {@link validate} knows.
   *
   * @param dialect the version of Cobre for which the case is written
   */
  schemas(dialect: Dialect = DEFAULT_DIALECT): readonly CaseSchema[] {
    return caseSchemas(this.algorithms, dialect);
  }
}
