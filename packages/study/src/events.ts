import type { BoundCaveat, SddpEvent, Termination } from "@cobre/sddp";

/**
 * What happens in a study: the events of training and simulation, which every rank tells about itself, and those of the study as a whole,
 * which rank 0 tells.
 */
export type StudyEvent =
  | SddpEvent
  /**
   * The plan: the largest number of iterations, `null` if there is no training or no limit; the number of scenarios, `null` if there is no
   * simulation.
   */
  | {
      readonly type: "run_started";
      readonly iterationLimit: number | null;
      readonly scenarios: number | null;
    }
  /** The system has no file locks: nothing keeps other runs from writing to the same directory. */
  | { readonly type: "output_not_locked"; readonly path: string }
  /** The results of training are written. */
  | {
      readonly type: "training_result";
      readonly termination: Termination;
      readonly iterations: number;
      readonly lowerBound: number;
      /** Empty if `lowerBound` is a lower bound. */
      readonly boundCaveats: readonly BoundCaveat[];
      /** The forward mean of the last iteration: a sample, not a bound. `null` if there was no iteration. */
      readonly forward: ForwardMean | null;
      readonly elapsedMs: number;
    }
  /** The results of training could not be written, but its policy could: a resumed run goes on from it. */
  | { readonly type: "policy_kept"; readonly path: string }
  | {
      readonly type: "simulation_result";
      readonly mean: number;
      readonly std: number;
      readonly ci95: number | null;
      readonly costs: readonly number[];
      /** How likely each scenario is, if they are all paths of a tree. The mean is then the cost of the policy, and no estimate. */
      readonly probabilities?: readonly number[] | undefined;
      readonly hash: string;
    }
  /** The study was cancelled, after this iteration or in the simulation of the policy that has it. */
  | {
      readonly type: "interrupted";
      readonly during: "training" | "simulation";
      readonly iteration: number;
    };

/** The mean cost of the forward passes of an iteration. */
export interface ForwardMean {
  readonly mean: number;
  readonly std: number;
  /** Half the width of its 95 % confidence interval; `null` for a single pass. */
  readonly ci95: number | null;
  readonly passes: number;
  /** Whether all paths were walked, so that the mean is the cost of the policy and an upper bound. Default: false. */
  readonly isExact?: boolean | undefined;
}

export type StudyListener = (event: StudyEvent) => void;
