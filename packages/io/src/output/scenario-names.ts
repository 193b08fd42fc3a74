/** Where the tables of scenarios are in an output directory. (`known-names.ts` knows the same names, to tell them from those of others.) */
import { OUTPUT_FILES } from "./output-files.js";

/** A file with a table of the scenarios from `first` to `last`. */
export interface ScenarioPart {
  /** The path within the folder of the table. */
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** Whether the file is a Hive partition: its folder tells the scenario, and it has no column for it. */
  readonly isPartition: boolean;
}

const DIGITS = 4;
const RANGE = /^scenarios_(\d+)-(\d+)\.parquet$/;
const PARTITION = /^scenario_id=(\d+)$/;
const PARTITION_FILE = "data.parquet";

/** The folder of a table. */
export function scenarioFolder(table: string): string {
  return `${OUTPUT_FILES.simulation}/${table}`;
}

/** The file with the scenarios from `first` to `last`. All files of a simulation have as many digits, so that they sort as numbers do. */
export function rangeFile(first: number, last: number, scenarios: number): string {
  const digits = Math.max(DIGITS, String(scenarios - 1).length);
  const padded = (scenario: number) => String(scenario).padStart(digits, "0");
  return `scenarios_${padded(first)}-${padded(last)}.parquet`;
}

/** The Hive partition of a scenario. */
export function partitionFile(scenario: number): string {
  return `scenario_id=${String(scenario).padStart(DIGITS, "0")}/${PARTITION_FILE}`;
}

/** What an entry in the folder of a table holds, if it is of a run. */
export function scenarioPart(entry: string): ScenarioPart | undefined {
  const [, first, last] = RANGE.exec(entry) ?? [];
  if (first !== undefined) {
    return { name: entry, first: Number(first), last: Number(last), isPartition: false };
  }
  const [, id] = PARTITION.exec(entry) ?? [];
  if (id === undefined) return undefined;
  const name = `${entry}/${PARTITION_FILE}`;
  return { name, first: Number(id), last: Number(id), isPartition: true };
}
