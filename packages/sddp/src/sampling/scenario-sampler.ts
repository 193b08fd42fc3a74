/** The noise of a stage on a path. */
export interface SampledNoise {
  /** The noise vector begins at `offset`. */
  readonly values: Float64Array;
  readonly offset: number;
  /** The opening of the tree from which the noise comes. */
  readonly opening: number;
}

/**
 * Draws the noise of paths. A draw depends only on what it is for, never on the rank that asks or on earlier calls: all ranks agree on a path
 * without talking about it.
 */
export interface ScenarioSampler {
  /** The noise of a stage on a forward pass of an iteration (from 1). */
  forward(iteration: number, pass: number, stage: number): SampledNoise;
  /** The noise of a stage in a scenario of the simulation. */
  simulated(scenario: number, stage: number): SampledNoise;
}
