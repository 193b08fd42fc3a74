import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type EncodedColumn, encodeColumn } from "../parquet/encode-column.js";
import { RowGroupWriter } from "../parquet/row-group-writer.js";
import { PARTIAL, uniqueName } from "./atomic.js";
import { integer, type NumberColumn } from "./column.js";
import type { OutputDirectory } from "./output-directory.js";
import { OutputError } from "./output-error.js";
import { rangeFile, scenarioFolder } from "./scenario-names.js";
import { schemaOf } from "./table.js";
import { writeAll } from "./write-all.js";

/** In front of the other columns, where a file holds more than one scenario. */
export const SCENARIO = { scenario_id: integer("number of the scenario, from 0") };

/** Files are cut where one of the tables has reached this size. */
const MAX_FILE_BYTES = 2 ** 26;
/** A row group holds as many whole scenarios as have so many rows, and at least one. */
const MAX_GROUP_ROWS = 10_000;

type Tables = Readonly<Record<string, readonly NumberColumn[]>>;

/**
 * Writes the tables of scenarios that follow each other, many to a file. Only a few scenarios are in memory. The files get their names
 * when their bytes are on the disk.
 *
 * @example
 * ```ts
 * using writer = new ScenarioWriter(output.staged, 100);
 * for (let scenario = 0; scenario < 100; scenario++) writer.writeScenario(scenario, tables);
 * writer.finish();
 * ```
 */
export class ScenarioWriter implements Disposable {
  private readonly output: OutputDirectory;
  private readonly scenarios: number;
  private readonly maxBytes: number;
  private readonly files = new Map<string, ScenarioFile>();
  private first = 0;
  private last = -1;

  /** @param scenarios how many there are in all, on all ranks */
  constructor(output: OutputDirectory, scenarios: number, maxBytes = MAX_FILE_BYTES) {
    this.output = output;
    this.scenarios = scenarios;
    this.maxBytes = maxBytes;
  }

  /** Adds a scenario. Its columns must not change afterwards. @throws {@link OutputError} */
  writeScenario(scenario: number, tables: Tables): void {
    if (this.files.size === 0) this.first = scenario;
    this.last = scenario;
    let largest = 0;
    for (const [table, columns] of Object.entries(tables)) {
      const file = this.fileOf(table, columns);
      file.add(scenario, columns);
      largest = Math.max(largest, file.length);
    }
    if (largest >= this.maxBytes) this.finish();
  }

  /** Ends the files with the scenarios so far. @throws {@link OutputError} */
  finish(): void {
    const name = rangeFile(this.first, this.last, this.scenarios);
    for (const [table, file] of this.files) {
      file.finish(name);
      this.files.delete(table);
    }
  }

  /** Closes what is not finished. */
  [Symbol.dispose](): void {
    for (const file of this.files.values()) file.close();
    this.files.clear();
  }

  private fileOf(table: string, columns: readonly NumberColumn[]): ScenarioFile {
    let file = this.files.get(table);
    if (file === undefined) {
      file = new ScenarioFile(this.output.file(scenarioFolder(table)), columns);
      this.files.set(table, file);
    }
    return file;
  }
}

/** A file that is being written. */
class ScenarioFile {
  private readonly folder: string;
  private readonly partial: string;
  private readonly writer: RowGroupWriter;
  private file: number | undefined;
  private pending: { readonly scenario: number; readonly columns: readonly NumberColumn[] }[] = [];
  private rows = 0;
  private scratch = new Float64Array(0);
  /** What was last encoded of columns that are the same in every scenario, such as ids. */
  private readonly repeated: (RepeatedColumn | undefined)[] = [];

  constructor(folder: string, columns: readonly NumberColumn[]) {
    this.folder = folder;
    this.partial = join(folder, `scenarios.${uniqueName()}${PARTIAL}`);
    const scenario = { name: "scenario_id", ...SCENARIO.scenario_id };
    this.writer = new RowGroupWriter(schemaOf([scenario, ...columns]));
    this.trying(() => {
      mkdirSync(folder, { recursive: true });
      this.file = openSync(this.partial, "wx");
    });
  }

  /** The bytes that have been written. */
  get length(): number {
    return this.writer.length;
  }

  add(scenario: number, columns: readonly NumberColumn[]): void {
    const rows = columns[0]?.data.length ?? 0;
    if (this.rows + rows > MAX_GROUP_ROWS) this.flush();
    this.pending.push({ scenario, columns });
    this.rows += rows;
  }

  finish(name: string): void {
    this.flush();
    this.write(this.writer.finish());
    this.trying(() => {
      fsyncSync(this.file as number);
      this.close();
      renameSync(this.partial, join(this.folder, name));
    });
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  /** Writes the pending scenarios as a row group. */
  private flush(): void {
    if (this.pending.length === 0) return;
    const bytes = this.writer.add(this.rows, this.encodedColumns());
    this.pending = [];
    this.rows = 0;
    this.write(bytes);
  }

  /** The columns of the pending scenarios, one scenario after the other. All are joined in the same memory. */
  private *encodedColumns(): Generator<EncodedColumn> {
    const { pending, rows } = this;
    if (this.scratch.length < rows) this.scratch = new Float64Array(rows);
    const values = this.scratch.subarray(0, rows);
    let at = 0;
    for (const { scenario, columns } of pending) {
      const start = at;
      at += columns[0]?.data.length ?? 0;
      values.fill(scenario, start, at);
    }
    yield encodeColumn(values, SCENARIO.scenario_id.type, false);
    for (const [i, column] of (pending[0]?.columns ?? []).entries()) {
      yield this.encoded(i, column, values);
    }
  }

  private encoded(
    i: number,
    { type, data, isNullable = false }: NumberColumn,
    values: Float64Array,
  ): EncodedColumn {
    const { pending } = this;
    const isSame = pending.every(({ columns }) => columns[i]?.data === data);
    const known = this.repeated[i];
    if (isSame && known?.data === data && known.scenarios === pending.length) return known.column;
    let at = 0;
    for (const { columns } of pending) {
      const part = columns[i]?.data ?? [];
      values.set(part instanceof Float64Array ? part : part.map((x) => x ?? Number.NaN), at);
      at += part.length;
    }
    const column = encodeColumn(values, type, isNullable);
    // Values without a dictionary are not copied: the next column overwrites them.
    const stays = column.body.buffer !== values.buffer;
    if (isSame && stays) this.repeated[i] = { data, scenarios: pending.length, column };
    return column;
  }

  private write(bytes: Uint8Array): void {
    this.trying(() => writeAll(this.file as number, bytes));
  }

  private trying(action: () => void): void {
    try {
      action();
    } catch (cause) {
      throw OutputError.of(this.partial, cause);
    }
  }
}

/** A column that a number of scenarios have in common, as it was encoded. */
interface RepeatedColumn {
  readonly data: NumberColumn["data"];
  readonly scenarios: number;
  readonly column: EncodedColumn;
}
