/** The files of an output directory that other code refers to. */
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
  stages: "training/dictionaries/stages.json",
  stateDictionary: "training/dictionaries/state_dictionary.json",
  fphaPlanes: "hydro_models/fpha_hyperplanes.parquet",
  policy: "policy/policy.bin",
  /** A trained policy whose results could not be written, beside the policy of previous results. */
  keptPolicy: "policy/kept.bin",
  /** The results as a page, if it was asked for. */
  report: "report.html",
  simulationSuccess: "simulation/_SUCCESS",
  simulationMetadata: "simulation/metadata.json",
  simulation: "simulation",
  simulationSolver: "simulation/solver/iterations.parquet",
  simulationRetries: "simulation/solver/retry_histogram.parquet",
} as const;
