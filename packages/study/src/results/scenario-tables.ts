import { readdirSync } from "node:fs";
import {
  type NumberTableSpec,
  OutputError,
  type ScenarioPart,
  ScenarioReader,
  scenarioFolder,
  scenarioPart,
  type TableColumns,
} from "@cobre/io";
import { RunError } from "./run-error.js";
import type { RunFiles } from "./run-files.js";

/** A table of one scenario. */
export type ScenarioColumns<S extends NumberTableSpec, K extends keyof S> = {
  readonly scenario: number;
} & TableColumns<S, K>;

/** A file that was read last, which is likely to be read again. */
interface OpenPart {
  readonly part: ScenarioPart;
  readonly reader: Promise<ScenarioReader>;
}

/** The tables of a simulation, scenario by scenario, whether they are in files of many scenarios or in Hive partitions. */
export class ScenarioTables {
  private readonly files: RunFiles;
  private readonly parts = new Map<string, readonly ScenarioPart[]>();
  private readonly open = new Map<string, OpenPart>();

  constructor(files: RunFiles) {
    this.files = files;
  }

  /** The scenarios that a table has, in order. */
  scenarios(table: string): number[] {
    return this.partsOf(table).flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, i) => first + i),
    );
  }

  /** A table of one scenario. */
  async read<S extends NumberTableSpec, K extends keyof S & string>(
    table: string,
    scenario: number,
    spec: S,
    names: readonly K[],
  ): Promise<TableColumns<S, K>> {
    const part = this.partsOf(table).find(
      ({ first, last }) => first <= scenario && scenario <= last,
    );
    if (part === undefined) throw this.missing(table, scenario);
    if (part.isPartition) return this.files.columns(this.nameOf(table, part), spec, names);
    let open = this.open.get(table);
    if (open?.part !== part) {
      open = { part, reader: this.reader(table, part) };
      this.open.set(table, open);
    }
    const reader = await open.reader;
    return told(() => reader.read<S, K>(scenario, names));
  }

  /** A table of all scenarios, one after the other. Each file is read once. */
  async *readAll<S extends NumberTableSpec, K extends keyof S & string>(
    table: string,
    spec: S,
    names: readonly K[],
  ): AsyncGenerator<ScenarioColumns<S, K>> {
    for (const part of this.partsOf(table)) {
      if (part.isPartition) {
        const columns = await this.files.columns(this.nameOf(table, part), spec, names);
        yield { scenario: part.first, ...columns };
        continue;
      }
      const reader = await this.reader(table, part);
      for (let scenario = part.first; scenario <= part.last; scenario++) {
        yield { scenario, ...told(() => reader.read<S, K>(scenario, names)) };
      }
    }
  }

  private nameOf(table: string, { name }: ScenarioPart): string {
    return `${scenarioFolder(table)}/${name}`;
  }

  private async reader(table: string, part: ScenarioPart): Promise<ScenarioReader> {
    const path = this.files.path(this.nameOf(table, part));
    return ScenarioReader.open(path, part).catch((cause) => {
      throw damaged(cause);
    });
  }

  private partsOf(table: string): readonly ScenarioPart[] {
    const known = this.parts.get(table);
    if (known !== undefined) return known;
    const parts = this.findParts(scenarioFolder(table));
    this.parts.set(table, parts);
    return parts;
  }

  private findParts(folder: string): readonly ScenarioPart[] {
    if (!this.files.has(folder)) return [];
    const path = this.files.path(folder);
    const parts = readdirSync(path)
      .flatMap((entry) => scenarioPart(entry) ?? [])
      .sort((a, b) => a.first - b.first);
    const twice = parts.find(({ first, last }, i) => {
      return last < first || first <= (parts[i - 1]?.last ?? -1);
    });
    if (twice === undefined) return parts;
    throw new RunError(
      "Damaged",
      path,
      `${path} has the scenarios of ${twice.name} twice; simulate again with --resume`,
    );
  }

  private missing(table: string, scenario: number): RunError {
    const path = this.files.path(scenarioFolder(table));
    const message = `${path} has no scenario ${scenario}; the run did not write it`;
    return new RunError("Missing", path, message);
  }
}

function told<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw damaged(cause);
  }
}

function damaged(cause: unknown): unknown {
  if (!(cause instanceof OutputError)) return cause;
  return new RunError("Damaged", cause.path, cause.message, cause);
}
