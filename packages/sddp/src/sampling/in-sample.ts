import type { NodeGraph } from "@cobre/core";
import { ForwardSampler, type OpeningTree, Seeds } from "@cobre/stochastic";
import type { SampledNoise, ScenarioSampler } from "./scenario-sampler.js";

/** Paths through the opening tree: at each node one of its openings, all equally likely. */
export class InSampleSampler implements ScenarioSampler {
  private readonly tree: OpeningTree;
  private readonly graph: NodeGraph;
  private readonly openings: ForwardSampler;

  /** @param firstSimulated see {@link ForwardSampler} */
  constructor(tree: OpeningTree, graph: NodeGraph, seed: number, firstSimulated?: number) {
    this.tree = tree;
    this.graph = graph;
    this.openings = new ForwardSampler(tree, new Seeds(seed), firstSimulated);
  }

  forward(iteration: number, pass: number, node: number, place: number): SampledNoise {
    return this.noiseOf(node, this.openings.opening(iteration, pass, place, node));
  }

  simulated(scenario: number, node: number): SampledNoise {
    const { stage } = this.graph.nodes[node];
    return this.noiseOf(node, this.openings.simulatedOpening(scenario, stage, node));
  }

  private noiseOf(node: number, opening: number): SampledNoise {
    const { values } = this.tree;
    return { values, offset: this.tree.offset(node, opening), opening };
  }
}
