import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CASE_FILES, IssueCollector } from "@cobre/core";
import type { Case } from "../load-case.js";
import { parsedJson } from "../memory/case-file.js";
import { OutputError } from "../output/output-error.js";
import { writeTable } from "../output/table.js";
import { type Columns, parseCsv } from "../parquet/csv.js";
import { decodeTable } from "../parquet/decode-table.js";
import { migrateConditions, migrateStages } from "./conditions.js";
import { migrateConfig } from "./config.js";
import { type Json, withEach, without } from "./json.js";
import { type MigrationNote, MigrationNotes } from "./notes.js";
import { migrateProduction } from "./production.js";
import { migrateEntities, migrateHydros, migratePenalties, migrateThermals } from "./system.js";
import { migrateExchange, migrateGenericBounds, outputColumns, TABLE_CHANGES } from "./tables.js";
import { withoutUnknown } from "./unknown-fields.js";

/** What {@link migrateCase} did. */
export interface Migration {
  /** The files of the new case. */
  readonly files: readonly string[];
  /** What could not be translated, or means something else now. */
  readonly notes: readonly MigrationNote[];
}

/** What is to be written, by file: an object as JSON, columns as Parquet; a path is copied. */
type Content = Json | Pick<Columns, "columns"> | string;

/**
 * Writes a case for Cobre 0.5 as one for Cobre 0.18. Both have the same optimum, but for what the notes say.
 *
 * @param source a case that was read from a directory and has no faults
 * @param target a directory that does not exist or is empty
 * @throws {@link OutputError}
 */
export async function migrateCase(source: Case, target: string): Promise<Migration> {
  const from = source.path;
  if (
    from === undefined ||
    source.config.dialect === "0.18" ||
    !existsSync(join(from, CASE_FILES.config))
  ) {
    const why =
      source.config.dialect === "0.18"
        ? "is written for Cobre 0.18 already"
        : "is not a case directory; give the directory that holds config.json";
    throw new OutputError("InvalidOutput", from ?? source.name, `${from ?? source.name} ${why}`);
  }
  await demandEmpty(target);
  const notes = new MigrationNotes();
  const contents = await translated(from, source, notes);
  try {
    for (const [file, content] of contents) await write(target, file, content);
  } catch (cause) {
    throw cause instanceof OutputError ? cause : OutputError.of(target, cause);
  }
  return { files: [...contents.keys()].sort(), notes: notes.list };
}

async function translated(
  from: string,
  source: Case,
  notes: MigrationNotes,
): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>();
  const json = async (file: string) => {
    const found = (await parsedJson(join(from, file))) as Json | undefined;
    return found && withoutUnknown(without(found, "$schema"), file, source.warnings, notes);
  };
  const put = async (file: string, change: (document: Json) => Json | undefined) => {
    const document = await json(file);
    const changed = document && change(document);
    if (changed !== undefined) contents.set(file, changed);
  };
  const usesOpenings = source.uncertainty.openings !== undefined;
  await put(CASE_FILES.config, (document) => migrateConfig(document, usesOpenings, notes));
  await put(CASE_FILES.stages, (document) => migrateStages(document, source));
  await put(CASE_FILES.penalties, (document) => migratePenalties(document, source));
  await put(CASE_FILES.initialConditions, (document) => migrateConditions(document, source, notes));
  for (const [file, list] of ENTITIES) await put(file, (one) => migrateEntities(one, list));
  await put(CASE_FILES.thermals, migrateThermals);
  await put(CASE_FILES.hydros, (document) => migrateHydros(document, source, notes));
  const production = migrateProduction(await json(CASE_FILES.productionModels), source);
  if (production !== undefined) contents.set(CASE_FILES.productionModels, production);
  for (const file of UNCHANGED) await put(file, (document) => document);
  await put(CASE_FILES.correlation, (document) => ({ ...document, method: "spectral" }));
  const constraints = await json(CASE_FILES.genericConstraints);
  if (constraints !== undefined) {
    const withoutSense = withEach(constraints, "constraints", (one) => without(one, "sense"));
    contents.set(CASE_FILES.genericConstraints, withoutSense);
  }
  for (const file of Object.values(CASE_FILES).filter((one) => one.endsWith(".parquet"))) {
    const found = await readTableFile(from, file);
    const factors =
      file === CASE_FILES.lineBounds ? await json(CASE_FILES.exchangeFactors) : undefined;
    if (found === undefined && factors === undefined) continue;
    const columns = found?.table.columns ?? new Map<string, unknown[]>();
    let isChanged = TABLE_CHANGES[file]?.(columns, source, notes) ?? false;
    if (file === CASE_FILES.lineBounds) isChanged = migrateExchange(columns, factors, source);
    if (file === CASE_FILES.genericBounds) {
      migrateGenericBounds(columns, constraints);
      isChanged = true;
    }
    // Cobre 0.18 reads tables only as Parquet.
    if (isChanged || found?.file !== file) contents.set(file, { columns });
    else contents.set(file, join(from, file));
  }
  return contents;
}

const ENTITIES = [
  [CASE_FILES.buses, "buses"],
  [CASE_FILES.lines, "lines"],
  [CASE_FILES.nonControllables, "non_controllable_sources"],
  [CASE_FILES.pumpingStations, "pumping_stations"],
  [CASE_FILES.energyContracts, "contracts"],
] as const;

const UNCHANGED = [
  CASE_FILES.loadFactors,
  CASE_FILES.nonControllableFactors,
  CASE_FILES.postStudyStages,
];

/** A table of the case, Parquet or CSV; `undefined` if there is none. */
async function readTableFile(
  from: string,
  file: string,
): Promise<{ readonly file: string; readonly table: Columns } | undefined> {
  if (existsSync(join(from, file))) {
    return { file, table: decodeTable(await readFile(join(from, file))) };
  }
  const text = file.replace(/\.parquet$/, ".csv");
  if (!existsSync(join(from, text))) return undefined;
  const table = parseCsv(await readFile(join(from, text), "utf8"), text, new IssueCollector());
  return table && { file: text, table };
}

async function write(target: string, file: string, content: Content): Promise<void> {
  const path = join(target, file);
  await mkdir(dirname(path), { recursive: true });
  if (typeof content === "string") await copyFile(content, path);
  else if (content.columns instanceof Map) {
    // Cobre 0.18 is built without Snappy.
    writeTable(path, outputColumns({ columns: content.columns }), "UNCOMPRESSED");
  } else {
    const up = "../".repeat(file.split("/").length - 1);
    const $schema = `${up}schemas/${basename(file, ".json")}.schema.json`;
    await writeFile(path, `${JSON.stringify({ $schema, ...content }, null, 2)}\n`);
  }
}

async function demandEmpty(target: string): Promise<void> {
  if (!existsSync(target)) return;
  const names = await readdir(target).catch(() => ["a file"]);
  if (names.length === 0) return;
  const message = `${target} exists already; choose another directory`;
  throw new OutputError("OutputExists", target, message);
}
