import { ForwardSampler, type OpeningTree, Seeds } from "@cobre/stochastic";
import type { SampledNoise, ScenarioSampler } from "./scenario-sampler.js";

/** Paths through the opening tree: at each stage one of its openings, all equally likely. */
export class InSampleSampler implements ScenarioSampler {
  private readonly tree: OpeningTree;
  private readonly openings: ForwardSampler;

  /** @param firstSimulated see {@link ForwardSampler} */
  constructor(tree: OpeningTree, seed: number, firstSimulated?: number) {
    this.tree = tree;
    this.openings = new ForwardSampler(tree, new Seeds(seed), firstSimulated);
  }

  forward(iteration: number, pass: number, stage: number): SampledNoise {
    return this.noiseOf(stage, this.openings.opening(iteration, pass, stage));
  }

  simulated(scenario: number, stage: number): SampledNoise {
    return this.noiseOf(stage, this.openings.simulatedOpening(scenario, stage));
  }

  private noiseOf(stage: number, opening: number): SampledNoise {
    const { values } = this.tree;
    return { values, offset: this.tree.offset(stage, opening), opening };
  }
}
