/** Mean and standard deviation of a bus's load in a stage, in MW. */
export interface LoadStatistics {
  readonly busId: number;
  readonly stageId: number;
  readonly mean: number;
  readonly std: number;
}

/**
 * The load of every bus: max(0, μ + σ η), before the block factors. A bus whose σ is 0 in every stage has
 * no noise. A bus without statistics has no load.
 *
 * @example
 * ```ts
 * const model = new LoadModel([0], [3], [{ busId: 3, stageId: 0, mean: 75, std: 5 }]);
 * model.uncertainBusIds; // [3]
 * model.load(0, 0, -1); // 70
 * ```
 */
export class LoadModel {
  /** In the order of the buses. In a noise vector they follow the inflows. */
  readonly uncertainBusIds: readonly number[];
  /** All values of the model; can be shared memory. */
  readonly values: Float64Array;
  /** [stage · buses + bus] */
  readonly mean: Float64Array;
  /** [stage · buses + bus] */
  readonly std: Float64Array;
  private readonly buses: number;

  constructor(
    stageIds: readonly number[],
    busIds: readonly number[],
    statistics: readonly LoadStatistics[],
    values: Float64Array = new Float64Array(2 * stageIds.length * busIds.length),
  ) {
    const cells = stageIds.length * busIds.length;
    this.buses = busIds.length;
    this.values = values;
    this.mean = values.subarray(0, cells);
    this.std = values.subarray(cells, 2 * cells);
    const stageIndex = new Map(stageIds.map((id, index) => [id, index]));
    const busIndex = new Map(busIds.map((id, index) => [id, index]));
    const uncertain = new Set<number>();
    for (const { busId, stageId, mean, std } of statistics) {
      const stage = stageIndex.get(stageId);
      const bus = busIndex.get(busId);
      if (stage === undefined || bus === undefined) continue;
      this.mean[stage * this.buses + bus] = mean;
      this.std[stage * this.buses + bus] = std;
      if (std > 0) uncertain.add(busId);
    }
    this.uncertainBusIds = busIds.filter((id) => uncertain.has(id));
  }

  /** The load, in MW, of the bus at index `bus` in the stage at index `stage`. */
  load(stage: number, bus: number, eta: number): number {
    const at = stage * this.buses + bus;
    return Math.max(0, (this.mean[at] as number) + (this.std[at] as number) * eta);
  }
}
