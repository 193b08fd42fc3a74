import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OutputError, readOutputColumns, type TableColumns, type TableSpec } from "@cobre/io";
import { JsonFields } from "./json-fields.js";
import { RunError } from "./run-error.js";

/** The files of a run. What cannot be read is a {@link RunError} that names the file. */
export class RunFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  async bytes(name: string): Promise<Uint8Array> {
    const path = this.path(name);
    try {
      return await readFile(path);
    } catch (cause) {
      throw isMissing(cause) ? this.missing(name, cause) : unreadable(path, cause);
    }
  }

  async text(name: string): Promise<string> {
    return new TextDecoder().decode(await this.bytes(name));
  }

  async json(name: string): Promise<JsonFields> {
    const path = this.path(name);
    const text = await this.text(name);
    try {
      return new JsonFields(JSON.parse(text), path);
    } catch (cause) {
      throw new RunError("Damaged", path, `${path} is not JSON; run the case again`, cause);
    }
  }

  /** Reads columns of a table; all of them by default. */
  async columns<S extends TableSpec, K extends keyof S & string = keyof S & string>(
    name: string,
    spec: S,
    names?: readonly K[],
  ): Promise<TableColumns<S, K>> {
    if (!this.has(name)) throw this.missing(name);
    try {
      return await readOutputColumns(this.path(name), spec, names ?? (Object.keys(spec) as K[]));
    } catch (cause) {
      if (!(cause instanceof OutputError)) throw cause;
      throw new RunError("Damaged", cause.path, cause.message, cause);
    }
  }

  /** Reads a table that earlier versions did not write: from them it has no rows. */
  async laterColumns<S extends TableSpec>(
    name: string,
    spec: S,
  ): Promise<TableColumns<S, keyof S & string>> {
    if (this.has(name)) return this.columns(name, spec);
    const none = (type: string) => (type === "STRING" ? [] : new Float64Array());
    const columns = Object.entries(spec).map(([column, { type }]) => [column, none(type)]);
    return { rows: 0, columns: Object.fromEntries(columns) };
  }

  private missing(name: string, cause?: unknown): RunError {
    const path = this.path(name);
    return new RunError("Missing", path, `${path} does not exist; the run did not write it`, cause);
  }
}

function unreadable(path: string, cause: unknown): RunError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new RunError("Damaged", path, `${path} cannot be read: ${reason}`, cause);
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
