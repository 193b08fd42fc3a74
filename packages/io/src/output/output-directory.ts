import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { PARTIAL, syncFolders, uniqueName, writeAtomically } from "./atomic.js";
import type { OutputColumn } from "./column.js";
import { DirectoryLock, type FileLocks } from "./directory-lock.js";
import { foreignFiles, leftovers, TRIAL_FILE } from "./known-names.js";
import { OutputError } from "./output-error.js";
import { OUTPUT_FILES } from "./output-files.js";
import { isRunDirectory, LOCK_FILE } from "./run-directory.js";
import { partitionFile, scenarioFolder } from "./scenario-names.js";
import { writeTable } from "./table.js";

/** The folders that are published as a whole. */
export type OutputFolder =
  | "training"
  | "simulation"
  | "stochastic"
  | "hydro_models"
  | "policy/states";

/** What may be done with an output directory that is not empty. */
export type ExistingOutput = "refuse" | "overwrite" | "resume";

/** All folders that are published as a whole, and so removed as a whole. */
const FOLDERS: readonly OutputFolder[] = [
  "training",
  "simulation",
  "stochastic",
  "hydro_models",
  "policy/states",
];

/**
 * Where the results of a run go. A folder of results is written in a staging area, with its marker `_SUCCESS` last, and then replaces
 * the previous one by a rename. A run that is killed, or finds the disk full, leaves the previous results or none. While a run writes,
 * a lock keeps other runs out.
 *
 * @example
 * ```ts
 * using output = new OutputDirectory("out");
 * output.prepare("refuse", locks);
 * output.staged.writeTable(OUTPUT_FILES.convergence, columns);
 * output.staged.mark(OUTPUT_FILES.trainingSuccess);
 * output.publish("training");
 * ```
 */
export class OutputDirectory implements Disposable {
  readonly path: string;
  /** Part of the name of the staging area, so that no two runs have the same. All ranks of a run must have the same. */
  runName: string = uniqueName();
  private lock: DirectoryLock | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Prepares the directory for a run. Existing results stay until new ones replace them.
   *
   * @param locks the locks of the system; without them, other runs are not kept out
   * @returns whether other runs are kept out, until this process ends or {@link close} is called
   * @throws {@link OutputError} if there is something in the directory that must not be replaced, or another run writes to it
   */
  prepare(existing: ExistingOutput, locks: FileLocks | undefined): boolean {
    this.check(existing); // before anything is written to a directory that is not ours
    this.lock = new DirectoryLock(this.file(LOCK_FILE), locks);
    this.check(existing); // again, because another run may just have ended
    for (const name of leftovers(this.path)) {
      rmSync(this.file(name), { recursive: true, force: true });
    }
    // Reports a directory that cannot be written now, not after hours of training.
    this.writeText(TRIAL_FILE, "");
    rmSync(this.file(TRIAL_FILE), { force: true });
    return this.lock.isHeld;
  }

  /** Throws if there is something in the directory that must not be replaced. */
  check(existing: ExistingOutput): void {
    if (this.entries().every((name) => name === LOCK_FILE)) return;
    if (!isRunDirectory(this.path)) {
      throw this.refusal(
        this.path,
        "is not empty, and what is in it was not written by a run; choose another directory (--output)",
      );
    }
    if (existing === "refuse") {
      throw this.refusal(
        this.path,
        "is not empty; continue the run in it (--resume), replace its results (--overwrite), or choose another directory (--output)",
      );
    }
    const [foreign] = FOLDERS.flatMap((folder) => foreignFiles(this.path, folder));
    if (foreign !== undefined) {
      throw this.refusal(
        this.file(foreign),
        "was not written by a run, and would be removed with the results beside it; move it to another directory",
      );
    }
  }

  /** Lets other runs in. */
  close(): void {
    this.lock?.release();
    this.lock = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
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

  /** Writes the tables of a scenario, each into a Hive partition of its own. */
  writeScenario(scenario: number, tables: Readonly<Record<string, readonly OutputColumn[]>>): void {
    for (const [table, columns] of Object.entries(tables)) {
      this.writeTable(`${scenarioFolder(table)}/${partitionFile(scenario)}`, columns);
    }
  }

  /** Where folders are written before they are published. */
  get staged(): OutputDirectory {
    return new OutputDirectory(this.file(`staged.${this.runName}${PARTIAL}`));
  }

  /** Replaces a folder of results by the staged one, and removes the page that shows the previous ones. */
  publish(folder: OutputFolder): void {
    rmSync(this.file(OUTPUT_FILES.report), { force: true });
    const staged = this.staged.file(folder);
    const published = this.file(folder);
    trying(published, () => syncFolders(staged));
    this.retire(folder);
    trying(published, () => renameSync(staged, published));
    trying(published, () => syncFolders(dirname(published), false));
  }

  /** Removes a folder of results, if it exists. It is first renamed, so that readers never see a part of it. */
  retire(folder: OutputFolder): void {
    if (!this.has(folder)) return;
    const old = this.staged.file(`old-${folder.replace("/", "-")}`);
    mkdirSync(this.staged.path, { recursive: true });
    trying(old, () => renameSync(this.file(folder), old));
    rmSync(old, { recursive: true, force: true });
  }

  /** Removes everything that was staged but not published. */
  discardStaged(): void {
    rmSync(this.staged.path, { recursive: true, force: true });
  }

  /** Replaces the policy, and removes the results that belong to the previous one. */
  writePolicy(bytes: Uint8Array): void {
    writeAtomically(this.file(OUTPUT_FILES.policy), bytes, () => {
      // Training is removed last, so that a run that is killed in between leaves no simulation without its training.
      for (const folder of ["simulation", "policy/states", "training"] as const) {
        this.retire(folder);
      }
      rmSync(this.file(OUTPUT_FILES.keptPolicy), { force: true });
      rmSync(this.file(OUTPUT_FILES.report), { force: true });
    });
  }

  /**
   * Saves a policy whose results cannot be written: as the policy of the directory, or beside it if results of the previous one exist,
   * which stay as they are. Returns the path, or `undefined` if it cannot be written either.
   */
  keepPolicy(bytes: Uint8Array): string | undefined {
    const isFree = !this.has("training");
    const path = this.file(isFree ? OUTPUT_FILES.policy : OUTPUT_FILES.keptPolicy);
    try {
      if (isFree) this.writePolicy(bytes);
      else writeAtomically(path, bytes);
      return path;
    } catch {
      return undefined; // why the results cannot be written is told
    }
  }

  /** Writes a marker, after everything that it stands for. */
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

  private refusal(path: string, reason: string): OutputError {
    return new OutputError("OutputExists", this.path, `${path} ${reason}`);
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

function trying(path: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    throw OutputError.of(path, cause);
  }
}
