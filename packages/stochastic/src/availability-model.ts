/** Mean and standard deviation of the share of a source's power that is available in a stage. */
export interface AvailabilityStatistics {
  readonly sourceId: number;
  readonly stageId: number;
  readonly mean: number;
  readonly std: number;
}

/**
 * The share of the power of non-controllable sources that is available: μ + σ η, not below 0 and not above 1. A source with statistics has
 * noise, also where σ is 0. In a stage without a row nothing is available.
 *
 * @example
 * ```ts
 * const model = new AvailabilityModel([0], [3], [{ sourceId: 3, stageId: 0, mean: 0.5, std: 0.2 }]);
 * model.uncertainIds; // [3]
 * model.share(0, 0, -1); // 0.3
 * ```
 */
export class AvailabilityModel {
  /** In the order of the sources. In a noise vector they follow the loads. */
  readonly uncertainIds: readonly number[];
  /** All values of the model; can be shared memory. */
  readonly values: Float64Array;
  /** [stage · sources + source] */
  readonly mean: Float64Array;
  /** [stage · sources + source] */
  readonly std: Float64Array;
  private readonly sources: number;

  constructor(
    stageIds: readonly number[],
    sourceIds: readonly number[],
    statistics: readonly AvailabilityStatistics[],
    values: Float64Array = new Float64Array(2 * stageIds.length * sourceIds.length),
  ) {
    const cells = stageIds.length * sourceIds.length;
    this.sources = sourceIds.length;
    this.values = values;
    this.mean = values.subarray(0, cells);
    this.std = values.subarray(cells, 2 * cells);
    const stageIndex = new Map(stageIds.map((id, index) => [id, index]));
    const sourceIndex = new Map(sourceIds.map((id, index) => [id, index]));
    const uncertain = new Set<number>();
    for (const { sourceId, stageId, mean, std } of statistics) {
      const stage = stageIndex.get(stageId);
      const source = sourceIndex.get(sourceId);
      if (source === undefined) continue;
      uncertain.add(sourceId);
      if (stage === undefined) continue;
      this.mean[stage * this.sources + source] = mean;
      this.std[stage * this.sources + source] = std;
    }
    this.uncertainIds = sourceIds.filter((id) => uncertain.has(id));
  }

  /** The available share of the source at index `source` in the stage at index `stage`. */
  share(stage: number, source: number, eta: number): number {
    const at = stage * this.sources + source;
    const share = (this.mean[at] as number) + (this.std[at] as number) * eta;
    return Math.min(1, Math.max(0, share));
  }

  /** A share that no noise exceeds. */
  mostShare(stage: number, source: number): number {
    const std = this.std[stage * this.sources + source] as number;
    return std > 0 ? 1 : this.share(stage, source, 0);
  }
}
