import { OUTPUT_FILES, OutputDirectory } from "@cobre/io";

interface TrainingMetadata {
  readonly solver: string;
  readonly status: string;
  readonly configuration: { readonly seed: number; readonly forward_passes: number };
  readonly iterations: { readonly completed: number };
  readonly convergence: {
    readonly lower_bound: number;
    readonly upper_bound: object | null;
    readonly termination_reason: string;
  };
  readonly distribution: { readonly backend: string; readonly world_size: number };
  readonly hashes: object;
}

interface SimulationMetadata {
  readonly mean: number;
  readonly std: number;
  readonly ci95: number | null;
  readonly scenarios: number;
  readonly hash: string;
}

/** What a run found. Hashes are of values, not of files: equal ones mean equal results, whatever the times and ranks. */
export function reportOf(directory: string): object {
  const output = new OutputDirectory(directory);
  const training = output.readJson(OUTPUT_FILES.trainingMetadata) as TrainingMetadata;
  const hasSimulation = output.has(OUTPUT_FILES.simulationSuccess);
  const simulation = hasSimulation
    ? (output.readJson(OUTPUT_FILES.simulationMetadata) as SimulationMetadata)
    : undefined;
  const { convergence, iterations, distribution, configuration, solver, status } = training;
  return {
    status,
    lower_bound: convergence.lower_bound,
    iterations: iterations.completed,
    upper_bound: convergence.upper_bound,
    simulation: simulation
      ? {
          mean: simulation.mean,
          std: simulation.std,
          ci95: simulation.ci95,
          scenarios: simulation.scenarios,
        }
      : null,
    hashes: { ...training.hashes, simulation: simulation?.hash ?? null },
    ranks: distribution.world_size,
    backend: distribution.backend,
    solver,
    seed: configuration.seed,
    forward_passes: configuration.forward_passes,
    termination: convergence.termination_reason,
  };
}
