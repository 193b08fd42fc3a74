/** Writes a case of the examples as the Rust program reads it: tables as Parquet, and a configuration that says how to train and nothing else. */
import { encodeColumn, RowGroupWriter } from "../../../io/dist/internal.js";
import {
  columnOf,
  type ExampleCase,
  type NumberTable,
  writeFile,
  writeJson,
} from "./example-case.js";

export interface ReferenceSettings {
  readonly iterations: number;
  /** The method of cut selection; none if it is left out. */
  readonly selection?: string | undefined;
  /** How many scenarios are simulated afterwards. */
  readonly scenarios: number;
}

/** Writes the case into a directory. */
export function writeForReference(
  { json, tables }: ExampleCase,
  directory: string,
  settings: ReferenceSettings,
): void {
  const files = { ...json, "config.json": configOf(json["config.json"], settings) };
  for (const [path, value] of Object.entries(files)) writeJson(directory, path, value);
  for (const [path, table] of Object.entries(tables)) {
    writeFile(directory, `${path}.parquet`, encodeParquet(table));
  }
}

function configOf(
  { training, modeling }: ExampleCase["json"]["config.json"],
  { iterations, selection, scenarios }: ReferenceSettings,
): Record<string, unknown> {
  const { selection: paths, tree_seed } = training;
  return {
    training: {
      selection: paths,
      stopping_rules: [{ type: "iteration_limit", limit: iterations }],
      ...(tree_seed !== undefined && { tree_seed }),
      ...(selection !== undefined && { cut_selection: { selection: { method: selection } } }),
    },
    ...(modeling && { modeling }),
    simulation: simulationSettings(scenarios),
  };
}

/** The section of a configuration that simulates so many scenarios; both programs read it. */
export function simulationSettings(scenarios: number): Record<string, unknown> {
  if (scenarios === 0) return { enabled: false };
  return { enabled: true, selection: { method: "sampled", num_scenarios: scenarios } };
}

/** Without compression: the Rust program is built without Snappy. */
function encodeParquet(table: NumberTable): Uint8Array {
  const columns = table.columns.map((name) => {
    const type = /_id$|^lag$/.test(name) ? ("INT32" as const) : ("DOUBLE" as const);
    return { name, type, values: Float64Array.from(columnOf(table, name)) };
  });
  const writer = new RowGroupWriter([
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, type, repetition_type: "REQUIRED" as const })),
  ]);
  // One column at a time, since they share memory; what the writer returns is valid until it is called again.
  const encoded = (function* () {
    for (const { type, values } of columns) yield encodeColumn(values, type, false);
  })();
  const rows = Buffer.from(writer.add(table.rows.length, encoded));
  return Buffer.concat([rows, writer.finish()]);
}
