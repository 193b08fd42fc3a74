import { CASE_FILES, type Dialect } from "@cobre/core";
import type { AlgorithmFormats } from "../algorithms.js";
import { postStudyStagesOf } from "../files/commitments.js";
import { configOf } from "../files/config.js";
import { energyContractsOf } from "../files/energy-contracts.js";
import { ENTITY_FILES } from "../files/entities.js";
import { exchangeFactorsOf } from "../files/exchange-factors.js";
import { genericConstraintsOf } from "../files/generic-constraints.js";
import { genericParametersOf } from "../files/generic-parameters.js";
import { LATER_TABLE_FORMATS } from "../files/later-table-formats.js";
import { nonControllableFactorsOf, nonControllablesOf } from "../files/non-controllables.js";
import { penaltiesOf } from "../files/penalties.js";
import { productionModelsOf } from "../files/production.js";
import { pumpingStationsOf } from "../files/pumping-stations.js";
import { correlationOf, initialConditionsOf, loadFactorsOf } from "../files/small-files.js";
import { stagesOf } from "../files/stages.js";
import { TABLE_FORMATS, type TableFormat } from "../files/table-formats.js";
import { checkSettings } from "../unsupported-settings.js";
import { describeFields } from "./describe-fields.js";
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
  /** `"table"`: Parquet or CSV, of which the schema describes a row. */
  readonly kind: "json" | "table";
  /** Made when it is first asked for. */
  readonly schema: JsonSchema;
}

const SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema";

type JsonFile = readonly [file: string, about: string, read: FileReader];

/** The files in JSON, what they hold, and the code that reads them. */
export function jsonFiles(
  formats: AlgorithmFormats,
  dialect: Dialect = "0.5",
): readonly JsonFile[] {
  const others = FILES_WITHOUT_ALGORITHMS.filter(
    ([file]) =>
      file !== (dialect === "0.5" ? CASE_FILES.genericParameters : CASE_FILES.exchangeFactors),
  );
  return [
    [
      CASE_FILES.config,
      "how to train and simulate",
      (root, issues) => checkSettings(configOf(root, formats), issues),
    ],
    [
      CASE_FILES.stages,
      "the time line: stages, blocks, discounting, risk",
      (root, issues) => stagesOf(root, issues, formats),
    ],
    ...others,
  ];
}

const FILES_WITHOUT_ALGORITHMS: readonly JsonFile[] = [
  [CASE_FILES.penalties, "what it costs to break soft limits", penaltiesOf],
  [CASE_FILES.initialConditions, "the state at the start", initialConditionsOf],
  [
    CASE_FILES.postStudyStages,
    "stages behind the study for which thermal plants are committed",
    postStudyStagesOf,
  ],
  [CASE_FILES.buses, "the buses", entities(ENTITY_FILES.buses)],
  [CASE_FILES.lines, "the lines between buses", entities(ENTITY_FILES.lines)],
  [CASE_FILES.thermals, "the thermal plants", entities(ENTITY_FILES.thermals)],
  [CASE_FILES.hydros, "the hydro plants", entities(ENTITY_FILES.hydros)],
  [CASE_FILES.productionModels, "how hydro plants generate, by stage", productionModelsOf],
  [CASE_FILES.loadFactors, "factors on the load by block", loadFactorsOf],
  [CASE_FILES.correlation, "the correlation of inflows and loads", correlationOf],
  [CASE_FILES.nonControllables, "the non-controllable sources", nonControllablesOf],
  [
    CASE_FILES.nonControllableFactors,
    "factors on non-controllable sources by block",
    nonControllableFactorsOf,
  ],
  [CASE_FILES.pumpingStations, "the pumping stations", pumpingStationsOf],
  [CASE_FILES.energyContracts, "the energy contracts", energyContractsOf],
  [CASE_FILES.exchangeFactors, "factors on the capacity of lines by block", exchangeFactorsOf],
  [CASE_FILES.genericConstraints, "constraints on sums of variables", genericConstraintsOf],
  [CASE_FILES.genericParameters, "numbers with names for constraints", genericParametersOf],
];

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
  [TABLE_FORMATS.unitGroupBounds, "bounds of groups of units of hydro plants by stage"],
  [TABLE_FORMATS.lineBounds, "bounds of lines by stage"],
  [TABLE_FORMATS.busPenalties, "penalties of buses by stage"],
  [TABLE_FORMATS.linePenalties, "penalties of lines by stage"],
  [TABLE_FORMATS.hydroPenalties, "penalties of hydro plants by stage"],
  [TABLE_FORMATS.nonControllableStatistics, "mean and deviation of what sources have available"],
  [TABLE_FORMATS.nonControllableBounds, "what non-controllable sources have available by stage"],
  [TABLE_FORMATS.nonControllablePenalties, "penalties of non-controllable sources by stage"],
  [TABLE_FORMATS.pumpingBounds, "limits of pumping stations by stage"],
  [TABLE_FORMATS.contractBounds, "limits and prices of energy contracts by stage"],
  [TABLE_FORMATS.genericBounds, "the bounds of generic constraints by stage and block"],
];

const LATER_TABLES: typeof TABLES = [
  [LATER_TABLE_FORMATS.inflowHistory, "inflows of the past, by windows of days"],
  [LATER_TABLE_FORMATS.energyProductivity, "productivities of hydro plants by stage"],
];

/** The tables of a case: those of Cobre 0.18 have some columns of other names, and there are more. */
function tablesOf(dialect: Dialect): typeof TABLES {
  if (dialect === "0.5") return TABLES;
  const later = Object.values<TableFormat>(LATER_TABLE_FORMATS);
  return [
    ...TABLES.map(([format, about]): (typeof TABLES)[number] => [
      later.find(({ file }) => file === format.file) ?? format,
      about,
    ]),
    ...LATER_TABLES,
  ];
}

/**
 * The JSON Schemas (2020-12) of all files of a case, made from the code that reads them; of a table (Parquet or CSV) the schema of a row.
 * A schema knows fields, types, ranges and choices. What goes across fields and files only `validateCase` knows.
 *
 * @param dialect the version of Cobre for which the case is written
 */
export function caseSchemas(formats: AlgorithmFormats, dialect: Dialect): readonly CaseSchema[] {
  return [
    ...jsonFiles(formats, dialect).map(([file, about, read]) =>
      described(file, about, "json", () => {
        const { properties, ...schema } = schemaOf(explore(read, dialect), dialect);
        return {
          ...schema,
          properties: { $schema: { type: "string" }, ...(properties as object) },
        };
      }),
    ),
    ...tablesOf(dialect).map(([format, about]) =>
      described(format.file, about, "table", () => rowSchema(format)),
    ),
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
    const { type, properties, ...rest } = describeFields(make(), file);
    return { $schema: SCHEMA_DIALECT, title: file, description, type, properties, ...rest };
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
    const { isInteger = false, isDay = false, isOptional = false, min, max } = rule;
    const type = isInteger ? "integer" : "number";
    const unit = unitOf(name);
    const schema = {
      type: isOptional ? [type, "null"] : isDay ? ["string", "integer"] : type,
      ...(isDay && { format: "date" }),
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
