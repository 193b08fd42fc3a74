import type { CutPool } from "../cuts/cut-pool.js";
import type { IterationRecord } from "../training/records.js";
import type { TrialPoints } from "../training/trial-points.js";

/** What the state of a case consists of, and in which stages. */
export interface PolicyStates {
  readonly hydroIds: readonly number[];
  readonly lags: number;
  readonly stageIds: readonly number[];
}

/** What a policy was made for; two runs can only go on from each other if it is the same. */
export interface PolicyOrigin extends PolicyStates {
  /** Of everything in the case that decides a result, stopping rules and simulation apart. */
  readonly caseFingerprint: string;
  /** Version and hash of what solved the programs. */
  readonly solverFingerprint: string;
  readonly forwardPasses: number;
  readonly seed: number;
}

/** A trained policy, with all that is needed to go on training or to simulate it, to the same bits. */
export interface Policy {
  readonly origin: PolicyOrigin;
  /** The last iteration that was done. */
  readonly iteration: number;
  /** The cuts of each stage; the last has none. */
  readonly pools: readonly CutPool[];
  /** Of the last iteration: the bases from which the next solves start. */
  readonly points: TrialPoints;
  readonly history: readonly IterationRecord[];
  /** The bound before the first cut, in $. */
  readonly initialBound: number;
  /** Mean cost of each stage in the last simulation that a stopping rule asked for. */
  readonly lastSimulation?: Float64Array | undefined;
}
