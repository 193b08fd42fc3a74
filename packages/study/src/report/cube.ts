/** The percentiles that ribbons are drawn from. */
export const LEVELS = [0, 10, 25, 50, 75, 90, 100] as const;

/** Percentiles over the scenarios: `values[(item * stages + stage) * levels.length + level]`. NaN where there are no values. */
export interface Bands {
  readonly levels: readonly number[];
  readonly values: Float64Array;
}

/**
 * A quantity by item (a plant, a bus and block, a kind of cost), stage and scenario, in one array:
 * `values[(item * stages + stage) * scenarios + scenario]`. NaN: the item has no value in the stage.
 */
export class Cube {
  readonly items: number;
  readonly stages: number;
  readonly scenarios: number;
  readonly values: Float64Array;

  constructor(items: number, stages: number, scenarios: number, fill = Number.NaN) {
    this.items = items;
    this.stages = stages;
    this.scenarios = scenarios;
    this.values = new Float64Array(items * stages * scenarios).fill(fill);
  }

  index(item: number, stage: number, scenario: number): number {
    return (item * this.stages + stage) * this.scenarios + scenario;
  }

  at(item: number, stage: number, scenario: number): number {
    return this.values[this.index(item, stage, scenario)] as number;
  }

  set(item: number, stage: number, scenario: number, value: number): void {
    this.values[this.index(item, stage, scenario)] = value;
  }

  add(item: number, stage: number, scenario: number, value: number): void {
    (this.values[this.index(item, stage, scenario)] as number) += value;
  }

  /** The values of an item in a stage, by scenario. Not a copy. */
  across(item: number, stage: number): Float64Array {
    const start = this.index(item, stage, 0);
    return this.values.subarray(start, start + this.scenarios);
  }

  /** Means over the scenarios: `[item * stages + stage]`. */
  means(): Float64Array {
    return this.each(meanOf);
  }

  /** Means over the scenarios, summed over the stages, by item. Stages without a value count as 0. */
  meanSums(weights?: Float64Array): Float64Array {
    const means = this.means();
    const sums = new Float64Array(this.items);
    for (let item = 0; item < this.items; item++) {
      for (let stage = 0; stage < this.stages; stage++) {
        const mean = means[item * this.stages + stage] as number;
        if (!Number.isNaN(mean)) (sums[item] as number) += mean * (weights?.[stage] ?? 1);
      }
    }
    return sums;
  }

  bands(levels: readonly number[] = LEVELS): Bands {
    const values = new Float64Array(this.items * this.stages * levels.length);
    for (let item = 0; item < this.items; item++) {
      for (let stage = 0; stage < this.stages; stage++) {
        const sorted = sortedNumbers(this.across(item, stage));
        levels.forEach((level, l) => {
          values[(item * this.stages + stage) * levels.length + l] = percentile(sorted, level);
        });
      }
    }
    return { levels, values };
  }

  private each(of: (values: Float64Array) => number): Float64Array {
    const found = new Float64Array(this.items * this.stages);
    for (let item = 0; item < this.items; item++) {
      for (let stage = 0; stage < this.stages; stage++) {
        found[item * this.stages + stage] = of(this.across(item, stage));
      }
    }
    return found;
  }
}

/** The values in ascending order, without those that are missing. */
export function sortedNumbers(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value)).sort();
}

/** A percentile of sorted values, interpolated linearly between the two that are next to it. NaN if there are none. */
export function percentile(sorted: Float64Array, level: number): number {
  const place = ((sorted.length - 1) * level) / 100;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below === above ? below : below + (place - Math.floor(place)) * (above - below);
}

export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** The mean of the values that are there. NaN if there are none. */
export function meanOf(values: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}
