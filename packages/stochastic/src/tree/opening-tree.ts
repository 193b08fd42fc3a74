/** A stage as the opening tree sees it. */
export interface TreeStage {
  readonly id: number;
  /** The number of openings. */
  readonly openings: number;
  /** Consecutive stages with the same season and year share their openings. */
  readonly seasonId?: number | undefined;
  readonly startYear: number;
}

/**
 * The noise of every opening of every stage, in one flat array. It can be shared memory that one rank fills and the others
 * read.
 *
 * @example
 * ```ts
 * const values = new Float64Array(OpeningTree.length(stages, layout.dimension)); // or a shared region
 * const tree = new OpeningTree(stages, layout.dimension, values);
 * sampleOpenings(tree, new Seeds(42), correlation);
 * tree.values[tree.offset(stage, opening) + layout.indexOf("inflow", hydroId)];
 * ```
 */
export class OpeningTree {
  readonly stages: readonly TreeStage[];
  readonly dimension: number;
  readonly values: Float64Array;
  private readonly firstOf: Int32Array;

  /** The number of values in the tree of these stages. */
  static length(stages: readonly TreeStage[], dimension: number): number {
    return stages.reduce((sum, { openings }) => sum + openings, 0) * dimension;
  }

  constructor(stages: readonly TreeStage[], dimension: number, values: Float64Array) {
    const length = OpeningTree.length(stages, dimension);
    if (values.length !== length) {
      throw new RangeError(`the opening tree needs ${length} values, not ${values.length}`);
    }
    this.stages = stages;
    this.dimension = dimension;
    this.values = values;
    this.firstOf = new Int32Array(stages.length + 1);
    stages.forEach(({ openings }, stage) => {
      this.firstOf[stage + 1] = (this.firstOf[stage] as number) + openings;
    });
  }

  /** The number of openings of the stage at this index. */
  openings(stage: number): number {
    return (this.firstOf[stage + 1] as number) - (this.firstOf[stage] as number);
  }

  /** The index in `values` at which the noise of an opening begins; it has `dimension` values. */
  offset(stage: number, opening: number): number {
    return ((this.firstOf[stage] as number) + opening) * this.dimension;
  }
}
