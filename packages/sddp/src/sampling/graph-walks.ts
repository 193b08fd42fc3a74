import type { NodeGraph, Transition } from "@cobre/core";
import { FIRST_SIMULATED_SCENARIO, Pcg64, Seeds } from "@cobre/stochastic";

/** Added to the place of a stage in seeds: the node of a stage is drawn apart from its opening. */
const INTO_STAGE = 0x40000000;

/** With little discount, cycles go on for long. What is left then is left to the cuts, as after fewer cycles. */
const MOST_CYCLES = 50;

/**
 * Through which nodes paths go. Like the openings, the nodes follow from what the path is for, never from the rank that asks or from earlier calls.
 */
export class GraphWalks {
  private readonly graph: NodeGraph;
  private readonly seeds: Seeds;
  private readonly rng = new Pcg64();
  /** If every path is walked: the node of each stage, path after path. */
  private readonly all: Int32Array | undefined;
  private readonly chain: Int32Array;

  /** The factor of everything after a cycle. */
  private readonly worthOfCycle: number;

  /**
   * @param discount of each stage
   * @param isEnumerated whether forward passes go along every path of a tree once, instead of along drawn ones
   */
  constructor(graph: NodeGraph, discount: Float64Array, seed: number, isEnumerated: boolean) {
    this.graph = graph;
    this.worthOfCycle = discount.reduce((product, factor) => product * factor, 1);
    this.seeds = new Seeds(seed);
    this.chain = Int32Array.from({ length: graph.stages }, (_, stage) => stage);
    if (!isEnumerated) return;
    this.all = Int32Array.from(graph.paths().flatMap(({ nodes }) => [...nodes]));
  }

  /**
   * For each forward pass of an iteration (from 1), the node at each place of its way. `undefined` if nodes are stages.
   *
   * Where the first stage follows the last, all passes of an iteration go through the same number of cycles. Each further one is as likely as the
   * discount makes it count, so states are visited as often as they matter.
   */
  forward(iteration: number, passes: number): Int32Array | undefined {
    const { graph } = this;
    if (graph.isCyclic) {
      const places = passes * this.cycles(iteration) * graph.stages;
      return Int32Array.from({ length: places }, (_, i) => i % graph.stages);
    }
    if (graph.isChain) return undefined;
    if (this.all !== undefined) return this.all;
    const nodes = new Int32Array(passes * graph.stages);
    for (let pass = 0; pass < passes; pass++) {
      nodes.set(this.walk(iteration, pass), pass * graph.stages);
    }
    return nodes;
  }

  /** The node of each stage in a scenario of the simulation. */
  simulated(scenario: number): Int32Array {
    return this.graph.isChain ? this.chain : this.walk(0, FIRST_SIMULATED_SCENARIO + scenario);
  }

  private cycles(iteration: number): number {
    this.seeds.startForward(this.rng, iteration, 0, INTO_STAGE);
    let cycles = 1;
    while (cycles < MOST_CYCLES && this.rng.unit() < this.worthOfCycle) cycles++;
    return cycles;
  }

  private walk(iteration: number, scenario: number): Int32Array {
    const { graph } = this;
    const path = new Int32Array(graph.stages);
    let next = graph.roots;
    for (let stage = 0; stage < graph.stages; stage++) {
      path[stage] = this.draw(next, iteration, scenario, stage);
      next = graph.nodes[path[stage]].children;
    }
    return path;
  }

  private draw(
    next: readonly Transition[],
    iteration: number,
    scenario: number,
    stage: number,
  ): number {
    const last = next.length - 1;
    if (last === 0) return next[0].node;
    this.seeds.startForward(this.rng, iteration, scenario, INTO_STAGE + stage);
    let left = this.rng.unit();
    // Rounding may leave a little of the sum of all probabilities, which belongs to the last node.
    for (let i = 0; i < last; i++) {
      left -= next[i].probability;
      if (left < 0) return next[i].node;
    }
    return next[last].node;
  }
}
