/** The noise of a node on a path. */
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
  /** The noise of a node at a place on the way of a forward pass of an iteration (from 1). */
  forward(iteration: number, pass: number, node: number, place: number): SampledNoise;
  /** The noise of a node in a scenario of the simulation. */
  simulated(scenario: number, node: number): SampledNoise;
}
