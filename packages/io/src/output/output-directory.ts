import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removePartials, writeAtomically } from "./atomic.js";
import { OutputError } from "./output-error.js";
import { type OutputColumn, writeTable } from "./table.js";

/** The files of an output directory that programs look for. */
export const OUTPUT_FILES = {
  trainingSuccess: "training/_SUCCESS",
  trainingMetadata: "training/metadata.json",
  convergence: "training/convergence.parquet",
  timing: "training/timing/iterations.parquet",
  solver: "training/solver/iterations.parquet",
  entities: "training/dictionaries/entities.csv",
  stateDictionary: "training/dictionaries/state_dictionary.json",
  policy: "policy/policy.bin",
  simulationSuccess: "simulation/_SUCCESS",
  simulationMetadata: "simulation/metadata.json",
  simulation: "simulation",
} as const;

/** What may be done with an output directory that is not empty. */
export type ExistingOutput = "refuse" | "overwrite" | "resume";

/**
 * Where the results of a run go. Every file is written atomically, and the markers `_SUCCESS` last: who finds one finds all that
 * belongs to it.
 *
 * @example
 * ```ts
 * const output = new OutputDirectory("out");
 * output.prepare("refuse");
 * output.writeTable(OUTPUT_FILES.convergence, columns);
 * output.mark(OUTPUT_FILES.trainingSuccess);
 * ```
 */
export class OutputDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Makes the directory ready for a run: nobody will take the old markers of what it makes for its own.
   *
   * @param markers of what the run will make; all if not said
   */
  prepare(
    existing: ExistingOutput,
    markers: readonly string[] = [OUTPUT_FILES.trainingSuccess, OUTPUT_FILES.simulationSuccess],
  ): void {
    if (existing === "refuse") this.refuseExisting();
    removePartials(this.path);
    for (const marker of markers) rmSync(this.file(marker), { force: true });
    // A directory that cannot be written is told now, not after hours of training.
    this.writeText(".writable", "");
    rmSync(this.file(".writable"), { force: true });
  }

  /** Throws if there is anything in the directory. */
  refuseExisting(): void {
    if (this.entries().length === 0) return;
    throw new OutputError(
      "OutputExists",
      this.path,
      `${this.path} is not empty; go on with the run in it (--resume), replace its results (--overwrite), or give another directory (--output)`,
    );
  }

  file(name: string): string {
    return join(this.path, name);
  }

  writeText(name: string, text: string): void {
    writeAtomically(this.file(name), text);
  }

  writeJson(name: string, value: unknown): void {
    this.writeText(name, `${JSON.stringify(value, null, 2)}\n`);
  }

  writeBytes(name: string, bytes: Uint8Array): void {
    writeAtomically(this.file(name), bytes);
  }

  writeTable(name: string, columns: readonly OutputColumn[]): void {
    writeTable(this.file(name), columns);
  }

  /** Writes the tables of a scenario, each into its own partition. */
  writeScenario(scenario: number, tables: Readonly<Record<string, readonly OutputColumn[]>>): void {
    const partition = `scenario_id=${String(scenario).padStart(4, "0")}`;
    for (const [table, columns] of Object.entries(tables)) {
      this.writeTable(`${OUTPUT_FILES.simulation}/${table}/${partition}/data.parquet`, columns);
    }
  }

  /** Removes the simulation of an earlier run. */
  clearSimulation(): void {
    rmSync(this.file(OUTPUT_FILES.simulation), { recursive: true, force: true });
  }

  /** Says that everything a marker stands for is there. */
  mark(marker: string): void {
    this.writeText(marker, "");
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  /** Reads a JSON file of a finished run. */
  readJson(name: string): unknown {
    let text: string;
    try {
      text = readFileSync(this.file(name), "utf8");
    } catch (cause) {
      throw this.invalid(
        `there is no ${name}; give a directory that \`cobre run\` has written`,
        cause,
      );
    }
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw this.invalid(`${name} is not JSON; run the case again`, cause);
    }
  }

  private invalid(reason: string, cause: unknown): OutputError {
    return new OutputError(
      "InvalidOutput",
      this.path,
      `${this.path} is not the output of a run: ${reason}`,
      cause,
    );
  }

  private entries(): string[] {
    try {
      return readdirSync(this.path);
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return [];
      throw OutputError.of(this.path, cause);
    }
  }
}
