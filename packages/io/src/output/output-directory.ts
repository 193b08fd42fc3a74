import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PARTIAL, removePartials, writeAtomically } from "./atomic.js";
import type { OutputColumn } from "./column.js";
import { OutputError } from "./output-error.js";
import { writeTable } from "./table.js";

/** The files of an output directory that programs look for. */
export const OUTPUT_FILES = {
  trainingSuccess: "training/_SUCCESS",
  trainingMetadata: "training/metadata.json",
  convergence: "training/convergence.parquet",
  timing: "training/timing/iterations.parquet",
  rankTiming: "training/timing/mpi_ranks.parquet",
  solver: "training/solver/iterations.parquet",
  retries: "training/solver/retry_histogram.parquet",
  scaling: "training/scaling_report.json",
  codes: "training/dictionaries/codes.json",
  entities: "training/dictionaries/entities.csv",
  variables: "training/dictionaries/variables.csv",
  bounds: "training/dictionaries/bounds.parquet",
  stateDictionary: "training/dictionaries/state_dictionary.json",
  policy: "policy/policy.bin",
  simulationSuccess: "simulation/_SUCCESS",
  simulationMetadata: "simulation/metadata.json",
  simulation: "simulation",
  simulationSolver: "simulation/solver/iterations.parquet",
  simulationRetries: "simulation/solver/retry_histogram.parquet",
} as const;

/** The folders whose files belong together. */
export type OutputFolder = "training" | "simulation" | "stochastic" | "policy/states";

/** What may be done with an output directory that is not empty. */
export type ExistingOutput = "refuse" | "overwrite" | "resume";

/** Where folders grow until they are whole. */
const STAGED = `staged${PARTIAL}`;

/**
 * Where the results of a run go. A folder of results is written where nobody looks, its marker `_SUCCESS` last, and then takes the
 * place of the one that was there, in one step: who is killed, or finds the disk full, leaves the previous results or none.
 *
 * @example
 * ```ts
 * const output = new OutputDirectory("out");
 * output.prepare("refuse");
 * output.staged.writeTable(OUTPUT_FILES.convergence, columns);
 * output.staged.mark(OUTPUT_FILES.trainingSuccess);
 * output.publish("training");
 * ```
 */
export class OutputDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Makes the directory ready for a run. What is there stays until there is something in its place. */
  prepare(existing: ExistingOutput): void {
    if (existing === "refuse") this.refuseExisting();
    removePartials(this.path);
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

  /** Where folders are written that will be published. */
  get staged(): OutputDirectory {
    return new OutputDirectory(this.file(STAGED));
  }

  /** Lets a staged folder take the place of the one that was there. */
  publish(folder: OutputFolder): void {
    this.retire(folder);
    this.rename(this.staged.file(folder), this.file(folder));
  }

  /** Removes a folder of results, if it is there: first in one step from where it is looked for, then from the disk. */
  retire(folder: OutputFolder): void {
    if (!this.has(folder)) return;
    const old = this.staged.file(`old-${folder.replace("/", "-")}`);
    mkdirSync(this.staged.path, { recursive: true });
    this.rename(this.file(folder), old);
    rmSync(old, { recursive: true, force: true });
  }

  /** Removes what was staged and not published. */
  discardStaged(): void {
    rmSync(this.staged.path, { recursive: true, force: true });
  }

  /** Replaces the policy; results of the one before are none of the new one's. */
  writePolicy(bytes: Uint8Array): void {
    writeAtomically(this.file(OUTPUT_FILES.policy), bytes, () => {
      // Training goes last: who is killed in between leaves less than there was, but nothing that stands alone.
      for (const folder of ["simulation", "policy/states", "training"] as const) {
        this.retire(folder);
      }
    });
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

  private rename(from: string, to: string): void {
    try {
      renameSync(from, to);
    } catch (cause) {
      throw OutputError.of(to, cause);
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
