import {
  COLLECTIVES,
  CONVERGENCE,
  ITERATION_TIMING,
  OUTPUT_FILES,
  RANK_TIMING,
  RETRY_HISTOGRAM,
  SOLVER_ITERATIONS,
  STATES,
  type TableColumns,
} from "@cobre/io";
import type { ForwardMean } from "../events.js";
import { readStateEntries, type StateEntry } from "./dictionaries.js";
import type { JsonFields } from "./json-fields.js";
import type { RunFiles } from "./run-files.js";
import { type RunMetadata, readRunMetadata } from "./run-metadata.js";
import { readScaling, type ScalingReport } from "./scaling.js";

/** `training/metadata.json` */
export interface TrainingMetadata extends RunMetadata {
  readonly status: "completed" | "interrupted";
  /** Why training ended. */
  readonly termination: string;
  readonly iterations: number;
  readonly lowerBound: number;
  /** Empty if `lowerBound` is a lower bound. */
  readonly lowerBoundCaveats: readonly string[];
  /** The forward mean of the last iteration: a sample, not a bound. */
  readonly forward: ForwardMean | null;
  /** `null` if the bound is risk-adjusted or not positive: then a mean cannot be compared with it. */
  readonly gapPercent: number | null;
  readonly seed: number;
  readonly forwardPasses: number;
  /** `null` if no rule limits the number of iterations. */
  readonly maxIterations: number | null;
  readonly cuts: number;
  /** Hashes of values: equal hashes mean equal results, whatever the times and ranks. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** The results of training. Tables are read when they are asked for; missing numbers are NaN. */
export class TrainingRun {
  readonly metadata: TrainingMetadata;
  /** Whether training ended without interruption. */
  readonly isComplete: boolean;
  private readonly files: RunFiles;

  private constructor(files: RunFiles, metadata: TrainingMetadata) {
    this.files = files;
    this.metadata = metadata;
    this.isComplete = files.has(OUTPUT_FILES.trainingSuccess);
  }

  /** @internal */
  static async open(files: RunFiles): Promise<TrainingRun> {
    return new TrainingRun(files, readMetadata(await files.json(OUTPUT_FILES.trainingMetadata)));
  }

  /** A row for each iteration. */
  convergence(): Promise<TableColumns<typeof CONVERGENCE>> {
    return this.files.columns(OUTPUT_FILES.convergence, CONVERGENCE);
  }

  /** A row for each iteration and rank: where the time went. */
  timing(): Promise<TableColumns<typeof ITERATION_TIMING>> {
    return this.files.columns(OUTPUT_FILES.timing, ITERATION_TIMING);
  }

  /** A row for each iteration and rank: what it did. */
  rankTiming(): Promise<TableColumns<typeof RANK_TIMING>> {
    return this.files.columns(OUTPUT_FILES.rankTiming, RANK_TIMING);
  }

  /** A row for each rank and collective: what it called in training, since it was last resumed. No rows if the run did not measure it. */
  collectives(): Promise<TableColumns<typeof COLLECTIVES>> {
    return this.files.laterColumns(OUTPUT_FILES.collectives, COLLECTIVES);
  }

  /** A row for each iteration, phase and stage. */
  solver(): Promise<TableColumns<typeof SOLVER_ITERATIONS>> {
    return this.files.columns(OUTPUT_FILES.solver, SOLVER_ITERATIONS);
  }

  /** Programs that took more than one attempt. */
  retries(): Promise<TableColumns<typeof RETRY_HISTOGRAM>> {
    return this.files.columns(OUTPUT_FILES.retries, RETRY_HISTOGRAM);
  }

  /** The ranges of the coefficients in the programs. */
  scaling(): Promise<ScalingReport> {
    return readScaling(this.files);
  }

  /** The components of a state, in the order of the coefficients of a cut. */
  stateEntries(): Promise<readonly StateEntry[]> {
    return readStateEntries(this.files);
  }

  /**
   * The states that the forward passes visited in a stage, counted from 0.
   *
   * @throws {@link RunError} of kind `"Missing"` if the case did not export them
   */
  states(stage: number): Promise<TableColumns<typeof STATES>> {
    const name = `policy/states/stage_${String(stage).padStart(3, "0")}.parquet`;
    return this.files.columns(name, STATES);
  }
}

function readMetadata(fields: JsonFields): TrainingMetadata {
  const status = fields.text("status");
  const hashes = fields.object("hashes");
  return {
    status: status === "completed" ? "completed" : "interrupted",
    ...readRunMetadata(fields),
    termination: fields.text("convergence.termination_reason"),
    iterations: fields.number("iterations.completed"),
    lowerBound: fields.number("convergence.lower_bound"),
    lowerBoundCaveats: fields.texts("convergence.lower_bound_caveats"),
    forward: readForward(fields),
    gapPercent: fields.numberOrNull("convergence.final_gap_percent"),
    seed: fields.number("configuration.seed"),
    forwardPasses: fields.number("configuration.forward_passes"),
    maxIterations: fields.numberOrNull("configuration.max_iterations"),
    cuts: fields.number("row_pool.total_active"),
    hashes: Object.fromEntries(fields.keys("hashes").map((key) => [key, hashes.text(key)])),
  };
}

/** In the file it has the name of the column. */
function readForward(fields: JsonFields): ForwardMean | null {
  const field = "convergence.upper_bound";
  if (fields.objectOrNull(field) === null) return null;
  return {
    mean: fields.number(`${field}.mean`),
    std: fields.number(`${field}.std`),
    ci95: fields.numberOrNull(`${field}.ci95`),
    passes: fields.number(`${field}.paths`),
    ...(fields.optionalText(`${field}.kind`) === "exact" && { isExact: true }),
  };
}
