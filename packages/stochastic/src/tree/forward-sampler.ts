import { Pcg64 } from "../random/pcg64.js";
import { FIRST_SIMULATED_SCENARIO, type Seeds } from "../random/seeds.js";
import type { OpeningTree } from "./opening-tree.js";

/**
 * In-sample forward sampling: at each stage of a path one of the tree's openings. The choice depends only on (seed, iteration,
 * scenario, place of the stage), not on the rank that asks or on earlier calls.
 *
 * @example
 * ```ts
 * const sampler = new ForwardSampler(tree, new Seeds(42));
 * sampler.opening(1, 0, 0); // the opening of the first stage on path 0 of iteration 1
 * ```
 */
export class ForwardSampler {
  private readonly rng = new Pcg64();
  private readonly tree: OpeningTree;
  private readonly seeds: Seeds;
  private readonly firstSimulated: number;

  /** @param firstSimulated the number that the first simulated scenario has among the paths of iteration 0 */
  constructor(tree: OpeningTree, seeds: Seeds, firstSimulated = FIRST_SIMULATED_SCENARIO) {
    this.tree = tree;
    this.seeds = seeds;
    this.firstSimulated = firstSimulated;
  }

  /**
   * The opening of the stage at index `stage` on path `scenario` (counted across all ranks) of an iteration (from 1).
   *
   * @param node where the tree has the openings of this path, if a stage has several nodes
   */
  opening(iteration: number, scenario: number, stage: number, node = stage): number {
    this.seeds.startForward(this.rng, iteration, scenario, stage);
    return this.rng.index(this.tree.openings(node));
  }

  /** The opening of a stage in a simulated scenario of the final policy. */
  simulatedOpening(scenario: number, stage: number, node = stage): number {
    return this.opening(0, this.firstSimulated + scenario, stage, node);
  }
}
