import { CASE_FILES } from "@cobre/core";
import { configOf } from "../files/config.js";
import { ENTITY_FILES } from "../files/entities.js";
import { penaltiesOf } from "../files/penalties.js";
import { productionModelsOf } from "../files/production.js";
import { correlationOf, initialConditionsOf, loadFactorsOf } from "../files/small-files.js";
import { stagesOf } from "../files/stages.js";
import { TABLE_FORMATS, type TableFormat } from "../files/table-formats.js";
import { LISTS, LISTS_WITHOUT_EFFECT, onlyEmpty } from "../unsupported-files.js";
import { checkSettings } from "../unsupported-settings.js";
import { explore, type FileReader } from "./explore.js";
import { type JsonSchema, schemaOf } from "./json-schema.js";
import { unitOf } from "./units.js";

/** The schema of a file of a case. */
export interface CaseSchema {
  /** The file, from the case directory on: `system/hydros.json`. */
  readonly file: string;
  /** What the file of the schema is called: `hydros.schema.json`. */
  readonly name: string;
  /** What the file holds, in a few words. */
  readonly about: string;
  /** `"table"`: Parquet or CSV, of which the schema describes a row. `"empty"`: of a feature that this version does not have. */
  readonly kind: "json" | "table" | "empty";
  /** Made when it is first asked for. */
  readonly schema: JsonSchema;
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** The files in JSON, what they hold, and the code that reads them. */
export const JSON_FILES: readonly [file: string, about: string, read: FileReader][] = [
  [
    CASE_FILES.config,
    "how to train and simulate",
    (root, issues) => checkSettings(configOf(root), issues),
  ],
  [CASE_FILES.stages, "the time line: stages, blocks, discounting, risk", stagesOf],
  [CASE_FILES.penalties, "what it costs to break soft limits", penaltiesOf],
  [CASE_FILES.initialConditions, "the state at the start", initialConditionsOf],
  [CASE_FILES.buses, "the buses", entities(ENTITY_FILES.buses)],
  [CASE_FILES.lines, "the lines between buses", entities(ENTITY_FILES.lines)],
  [CASE_FILES.thermals, "the thermal plants", entities(ENTITY_FILES.thermals)],
  [CASE_FILES.hydros, "the hydro plants", entities(ENTITY_FILES.hydros)],
  [CASE_FILES.productionModels, "how hydro plants generate, by stage", productionModelsOf],
  [CASE_FILES.loadFactors, "factors on the load by block", loadFactorsOf],
  [CASE_FILES.correlation, "the correlation of inflows and loads", correlationOf],
];

/** Files of features that this version does not have: their lists must be empty. */
const EMPTY_FILES = [...LISTS, ...LISTS_WITHOUT_EFFECT].map(
  ([file, list, what]): (typeof JSON_FILES)[number] => [
    file,
    `${what}: this version has none, so the list must be empty`,
    (root, issues) => onlyEmpty(root, file, list, what, issues),
  ],
);

const TABLES: readonly [format: TableFormat, about: string][] = [
  [TABLE_FORMATS.inflowStatistics, "mean and deviation of the inflow of each plant and stage"],
  [TABLE_FORMATS.autoregressions, "the autoregression of inflows, a row for each lag"],
  [TABLE_FORMATS.annualComponents, "the annual component of inflows"],
  [TABLE_FORMATS.loadStatistics, "mean and deviation of the load of each bus and stage"],
  [TABLE_FORMATS.noiseOpenings, "openings to use instead of sampled ones"],
  [TABLE_FORMATS.hydroGeometry, "level and area of reservoirs by volume"],
  [TABLE_FORMATS.fphaPlanes, "planes of production functions of hydro plants"],
  [TABLE_FORMATS.thermalBounds, "bounds of thermal plants by stage"],
  [TABLE_FORMATS.hydroBounds, "bounds of hydro plants by stage"],
  [TABLE_FORMATS.lineBounds, "bounds of lines by stage"],
  [TABLE_FORMATS.busPenalties, "penalties of buses by stage"],
  [TABLE_FORMATS.linePenalties, "penalties of lines by stage"],
  [TABLE_FORMATS.hydroPenalties, "penalties of hydro plants by stage"],
];

/**
 * The JSON Schemas (2020-12) of all files of a case, made from the code that reads them; of a table (Parquet or CSV) the schema of a row.
 * A schema knows fields, types, ranges and choices. What goes across fields and files only `validateCase` knows.
 *
 * @example
 * ```ts
 * for (const { file, schema } of caseSchemas()) console.log(file, Object.keys(schema.properties ?? {}));
 * ```
 */
export function caseSchemas(): readonly CaseSchema[] {
  const ofReader =
    (kind: "json" | "empty") =>
    ([file, about, read]: (typeof JSON_FILES)[number]) =>
      described(file, about, kind, () => {
        const { properties, ...schema } = schemaOf(explore(read));
        return {
          ...schema,
          properties: { $schema: { type: "string" }, ...(properties as object) },
        };
      });
  return [
    ...JSON_FILES.map(ofReader("json")),
    ...TABLES.map(([format, about]) =>
      described(format.file, about, "table", () => rowSchema(format)),
    ),
    ...EMPTY_FILES.map(ofReader("empty")),
  ];
}

function described(
  file: string,
  about: string,
  kind: CaseSchema["kind"],
  make: () => JsonSchema,
): CaseSchema {
  const name = file.replace(/^.*\//, "").replace(/\.\w+$/, ".schema.json");
  const description = kind === "table" ? `${about}; a row of the table, Parquet or CSV` : about;
  let made: JsonSchema | undefined;
  const whole = (): JsonSchema => {
    const { type, properties, ...rest } = make();
    return { $schema: DIALECT, title: file, description, type, properties, ...rest };
  };
  return {
    file,
    name,
    about,
    kind,
    get schema() {
      made ??= whole();
      return made;
    },
  };
}

/** Unknown columns are told as mistakes, like unknown fields. */
function rowSchema({ columns }: TableFormat): JsonSchema {
  const properties = Object.entries(columns).map(([name, rule]) => {
    const { isInteger = false, isOptional = false, min, max } = rule;
    const type = isInteger ? "integer" : "number";
    const unit = unitOf(name);
    const schema = {
      type: isOptional ? [type, "null"] : type,
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
      ...(unit === undefined ? {} : { description: `in ${unit}` }),
    };
    return [name, schema] as const;
  });
  const required = Object.keys(columns).filter((name) => columns[name]?.isOptional !== true);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

function entities<T>(
  read: (...args: [...Parameters<FileReader>, lives: never[]]) => T,
): FileReader {
  return (root, issues) => read(root, issues, []);
}
