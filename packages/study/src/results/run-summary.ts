import type { ForwardMean } from "../events.js";
import type { SimulationMetadata } from "./simulation-run.js";
import type { TrainingMetadata } from "./training-run.js";

/**
 * The results of a run in a few numbers. Those of training are `null` if the run only simulated a policy that was trained elsewhere. Hashes
 * are of values, not of files: equal hashes mean equal results, whatever the times and ranks.
 */
export interface RunSummary {
  readonly status: "completed" | "interrupted";
  readonly lower_bound: number | null;
  /** Empty if `lower_bound` is a lower bound. */
  readonly lower_bound_caveats: readonly string[];
  readonly iterations: number | null;
  /** The forward mean of the last iteration: a sample, not a bound. */
  readonly forward: ForwardMean | null;
  /** The discounted cost of the simulated scenarios. */
  readonly simulation: SimulatedCost | null;
  readonly hashes: Readonly<Record<string, string | null>>;
  readonly ranks: number | null;
  readonly backend: string | null;
  readonly solver: string | null;
  readonly seed: number | null;
  readonly forward_passes: number | null;
  readonly termination: string | null;
}

/** Mean and spread of the cost of scenarios. */
export interface SimulatedCost {
  readonly mean: number;
  readonly std: number;
  /** Half the width of the 95 % confidence interval of the mean; `null` for a single scenario, and for all paths. */
  readonly ci95: number | null;
  readonly scenarios: number;
  /** Whether the scenarios are all paths of a tree, so that the mean is the cost of the policy. Default: false. */
  readonly isExact?: boolean | undefined;
}

/** What a summary is made of. A `Run` has it. */
export interface Summarised {
  readonly training: { readonly metadata: TrainingMetadata } | undefined;
  readonly simulation: { readonly metadata: SimulationMetadata } | undefined;
}

/** Summarises a run by its metadata alone. */
export function summaryOfRun({ training, simulation }: Summarised): RunSummary {
  const trained = training?.metadata;
  const simulated = simulation?.metadata;
  const made = trained ?? simulated;
  return {
    status: trained?.status ?? "completed",
    lower_bound: trained?.lowerBound ?? null,
    lower_bound_caveats: trained?.lowerBoundCaveats ?? [],
    iterations: trained?.iterations ?? null,
    forward: trained?.forward ?? null,
    simulation: simulated
      ? {
          mean: simulated.mean,
          std: simulated.std,
          ci95: simulated.ci95,
          scenarios: simulated.scenarios,
          ...(simulated.isExact && { isExact: true }),
        }
      : null,
    hashes: { ...trained?.hashes, simulation: simulated?.hash ?? null },
    ranks: made?.ranks ?? null,
    backend: made?.backend ?? null,
    solver: made?.solver ?? null,
    seed: trained?.seed ?? null,
    forward_passes: trained?.forwardPasses ?? null,
    termination: trained?.termination ?? null,
  };
}
