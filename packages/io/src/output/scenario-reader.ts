import { readFile } from "node:fs/promises";
import { demand } from "../parquet/damage.js";
import { readChunk } from "../parquet/decode-table.js";
import { type Footer, readFooter } from "../parquet/footer.js";
import { checkSeal } from "../parquet/seal.js";
import type { NumberTableSpec } from "./column.js";
import type { ScenarioPart } from "./scenario-names.js";
import { numbersOf, type TableColumns, unreadable } from "./table.js";

/** Where the rows of a scenario are. */
interface Place {
  readonly group: number;
  readonly start: number;
  readonly end: number;
}

/**
 * A file with a table of many scenarios, open for reading. Only the row group of a scenario is decoded, and the columns that are asked
 * for; the last one is kept, because the next scenario is often in it, too.
 */
export class ScenarioReader {
  private readonly path: string;
  private readonly file: Uint8Array;
  private readonly footer: Footer;
  private readonly places = new Map<number, Place>();
  private group = -1;
  private readonly columns = new Map<string, Float64Array>();

  private constructor(path: string, file: Uint8Array, part: ScenarioPart) {
    this.path = path;
    this.file = file;
    this.footer = readFooter(file);
    demand(checkSeal(file, this.footer.metadata), "it has no checksum");
    for (let group = 0; group < this.footer.groups.length; group++) this.findScenarios(group);
    const found = [...this.places.keys()];
    demand(
      found.length === part.last - part.first + 1 &&
        found.every((scenario, i) => scenario === part.first + i),
      "it does not have the scenarios that its name says",
    );
  }

  /** @throws {@link OutputError} if the file is damaged */
  static async open(path: string, part: ScenarioPart): Promise<ScenarioReader> {
    try {
      const { buffer, byteOffset, byteLength } = await readFile(path);
      return new ScenarioReader(path, new Uint8Array(buffer, byteOffset, byteLength), part);
    } catch (cause) {
      throw unreadable(path, cause);
    }
  }

  /** @throws {@link OutputError} if the file is damaged, or lacks a column or the scenario */
  read<S extends NumberTableSpec, K extends keyof S & string>(
    scenario: number,
    names: readonly K[],
  ): TableColumns<S, K> {
    try {
      const place = this.places.get(scenario);
      demand(place !== undefined, `it has no scenario ${scenario}`);
      const { group, start, end } = place;
      const entries = names.map((name) => [name, this.column(group, name).slice(start, end)]);
      return { rows: end - start, columns: Object.fromEntries(entries) };
    } catch (cause) {
      throw unreadable(this.path, cause);
    }
  }

  /** Finds the scenarios of a row group: the rows of each must be together. */
  private findScenarios(group: number): void {
    const ids = this.column(group, "scenario_id");
    for (let start = 0; start < ids.length; ) {
      const id = ids[start] as number;
      let end = start;
      while (ids[end] === id) end++;
      demand(!this.places.has(id), `the rows of scenario ${id} are not together`);
      this.places.set(id, { group, start, end });
      start = end;
    }
  }

  /** A column of a row group, decoded. */
  private column(group: number, name: string): Float64Array {
    if (this.group !== group) this.columns.clear();
    this.group = group;
    let values = this.columns.get(name);
    if (values === undefined) {
      const chunk = this.footer.groups[group]?.find(({ element }) => element.name === name);
      demand(chunk !== undefined, `it has no column ${name}`);
      values = numbersOf(readChunk(this.file, chunk, true));
      this.columns.set(name, values);
    }
    return values;
  }
}
