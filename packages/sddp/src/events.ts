import type { CoefficientRanges } from "./stage/coefficient-ranges.js";
import type { StageSolves } from "./stage/solve-statistics.js";
import type { IterationRecord } from "./training/records.js";

/** Why training ended. With `stopping_mode` "all", every rule held; the name is that of the last one in the list. */
export type Termination =
  | "iteration_limit"
  | "time_limit"
  | "bound_stalling"
  | "simulation"
  | "interrupted";

/**
 * What a rank tells while it works. Milliseconds and simplex iterations are its own; counts of programs are those of all ranks
 * together.
 */
export type SddpEvent =
  | {
      readonly type: "training_started";
      readonly stages: number;
      readonly stateDimension: number;
      readonly forwardPasses: number;
      readonly ranks: number;
      readonly solver: string;
      /** 0, or the last iteration of the policy that is resumed. */
      readonly afterIteration: number;
      readonly cuts: number;
    }
  /** Before the first iteration: how the numbers of the programs are spread. */
  | { readonly type: "programs_built"; readonly ranges: readonly CoefficientRanges[] }
  | {
      readonly type: "forward_done";
      readonly iteration: number;
      readonly ms: number;
      readonly lpSolves: number;
    }
  | {
      readonly type: "backward_done";
      readonly iteration: number;
      readonly ms: number;
      readonly lpSolves: number;
    }
  | {
      readonly type: "bound_done";
      readonly iteration: number;
      readonly ms: number;
      readonly lowerBound: number;
    }
  | {
      readonly type: "iteration_done";
      readonly record: IterationRecord;
      /** Milliseconds of this iteration in collectives; `waitingMs` is 0 unless it is measured apart. */
      readonly waitingMs: number;
      readonly movingMs: number;
      /** Milliseconds of this iteration in the solver. */
      readonly solvingMs: number;
      readonly simplexIterations: number;
      /** What this rank solved. Those of a simulation that a stopping rule asked for count with the next iteration. */
      readonly solves: readonly StageSolves[];
      readonly elapsedMs: number;
    }
  | {
      readonly type: "simulation_compared";
      readonly iteration: number;
      readonly ms: number;
      readonly lpSolves: number;
      /** Against the last one; `undefined` for the first. */
      readonly distance: number | undefined;
    }
  | { readonly type: "checkpoint_written"; readonly iteration: number; readonly ms: number }
  | {
      readonly type: "training_done";
      readonly termination: Termination;
      readonly iterations: number;
      readonly elapsedMs: number;
    }
  | { readonly type: "simulation_started"; readonly scenarios: number }
  /** Of this rank's scenarios. */
  | { readonly type: "scenario_done"; readonly done: number; readonly of: number }
  | {
      readonly type: "simulation_done";
      readonly scenarios: number;
      readonly ms: number;
      /** What this rank solved. */
      readonly solves: readonly StageSolves[];
    };

export type EventListener = (event: SddpEvent) => void;
