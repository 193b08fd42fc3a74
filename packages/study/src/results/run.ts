import { join } from "node:path";
import { BOUNDS, isRunDirectory, OUTPUT_FILES, type TableColumns } from "@cobre/io";
import { decodePolicy, type Policy } from "@cobre/sddp";
import { type Entities, readEntities, readStages, type StageEntry } from "./dictionaries.js";
import { RunError } from "./run-error.js";
import { RunFiles } from "./run-files.js";
import { SimulationRun } from "./simulation-run.js";
import { TrainingRun } from "./training-run.js";

/** What a run wrote. Only its metadata are read at once; everything else when it is asked for. */
export class Run {
  readonly directory: string;
  /** `undefined` if the directory holds only a simulation of a policy that was trained elsewhere. */
  readonly training: TrainingRun | undefined;
  /** `undefined` if nothing was simulated, or the simulation has not ended. */
  readonly simulation: SimulationRun | undefined;
  private readonly files: RunFiles;

  /** @internal */
  constructor(
    files: RunFiles,
    training: TrainingRun | undefined,
    simulation: SimulationRun | undefined,
  ) {
    this.directory = files.directory;
    this.files = files;
    this.training = training;
    this.simulation = simulation;
  }

  /** Whether the run has a policy of its own. */
  get hasPolicy(): boolean {
    return this.files.has(OUTPUT_FILES.policy);
  }

  /** The trained policy with its cuts and its history. */
  async policy(): Promise<Policy> {
    const bytes = await this.files.bytes(OUTPUT_FILES.policy);
    const path = this.files.path(OUTPUT_FILES.policy);
    try {
      return decodePolicy(bytes, path);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new RunError("Damaged", path, reason, cause);
    }
  }

  /** The plants, buses and lines of the case. */
  entities(): Promise<Entities> {
    return readEntities(this.files);
  }

  /** The bounds of all entities, stage by stage. */
  bounds(): Promise<TableColumns<typeof BOUNDS>> {
    return this.files.columns(OUTPUT_FILES.bounds, BOUNDS);
  }

  /** The stages of the case with their dates and blocks. */
  stages(): Promise<readonly StageEntry[]> {
    return readStages(this.files);
  }
}

/**
 * Opens the output directory of a run.
 *
 * @throws {@link RunError} of kind `"NotARun"`, `"Unfinished"` or `"Damaged"`
 * @example
 * ```ts
 * const run = await openRun("out");
 * const { columns } = (await run.training?.convergence()) ?? {};
 * for await (const { scenario, columns } of run.simulation?.scenariosOf("costs", ["total_cost"]) ?? []) { … }
 * ```
 */
export async function openRun(directory: string): Promise<Run> {
  const files = new RunFiles(directory);
  const hasTraining = files.has(OUTPUT_FILES.trainingMetadata);
  const hasSimulation = files.has(OUTPUT_FILES.simulationSuccess);
  if (!hasTraining && !hasSimulation) throw nothingIn(directory);
  return new Run(
    files,
    hasTraining ? await TrainingRun.open(files) : undefined,
    hasSimulation ? await SimulationRun.open(files) : undefined,
  );
}

function nothingIn(directory: string): RunError {
  if (isRunDirectory(directory)) {
    return new RunError(
      "Unfinished",
      directory,
      `${directory} has no results yet: the run still goes on, or was stopped; \`cobre run … --resume\` continues it`,
    );
  }
  // Who gives the case itself means the results that a run leaves in it unless told otherwise.
  const inCase = join(directory, "output");
  const remedy = isRunDirectory(inCase)
    ? `did you mean ${inCase}?`
    : "give a directory that `cobre run` has written";
  return new RunError(
    "NotARun",
    directory,
    `${directory} is not the output of a run: there is no ${OUTPUT_FILES.trainingMetadata}; ${remedy}`,
  );
}
