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
  /** How likely each scenario is, if they are all paths of a tree. `undefined`: they are drawn, and count alike. */
  readonly probabilities: Float64Array | undefined;

  constructor(
    items: number,
    stages: number,
    scenarios: number,
    fill = Number.NaN,
    probabilities?: Float64Array,
  ) {
    this.items = items;
    this.stages = stages;
    this.scenarios = scenarios;
    this.probabilities = probabilities;
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

  /** A cube of other items over the same stages and scenarios. */
  alike(items: number, fill?: number): Cube {
    return new Cube(items, this.stages, this.scenarios, fill, this.probabilities);
  }

  /** The values of an item in a stage, in order and with what they count. */
  sorted(item: number, stage: number): SortedValues {
    return sortedValues(this.across(item, stage), this.probabilities);
  }

  /** Means over the scenarios: `[item * stages + stage]`. */
  means(): Float64Array {
    return this.each((values) => meanOf(values, this.probabilities));
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
        const sorted = this.sorted(item, stage);
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

/** Values in ascending order, and how likely each is; without probabilities they are a sample. */
export interface SortedValues {
  readonly values: Float64Array;
  readonly probabilities: Float64Array | undefined;
}

/** The values in ascending order, without those that are missing. */
export function sortedValues(values: Float64Array, probabilities?: Float64Array): SortedValues {
  if (probabilities === undefined) {
    return { values: values.filter((value) => !Number.isNaN(value)).sort(), probabilities };
  }
  const places = Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  places.sort((a, b) => (values[a] as number) - (values[b] as number));
  return {
    values: Float64Array.from(places, (i) => values[i] as number),
    probabilities: Float64Array.from(places, (i) => probabilities[i] as number),
  };
}

/**
 * A percentile. Of a sample it is interpolated linearly between the two values that are next to it. Of all paths it is the lowest value that is not
 * exceeded with that probability. NaN if there are no values.
 */
export function percentile({ values, probabilities }: SortedValues, level: number): number {
  if (probabilities !== undefined) return quantile(values, probabilities, level / 100);
  const place = ((values.length - 1) * level) / 100;
  const below = values[Math.floor(place)] ?? Number.NaN;
  const above = values[Math.ceil(place)] ?? Number.NaN;
  return below === above ? below : below + (place - Math.floor(place)) * (above - below);
}

/** Sums of probabilities miss what they are to be by no more than this. */
const ROUNDING = 1e-12;

function quantile(values: Float64Array, probabilities: Float64Array, share: number): number {
  const wanted = share * sumOf(probabilities) - ROUNDING;
  let reached = 0;
  const place = probabilities.findIndex((probability) => {
    reached += probability;
    return reached >= wanted;
  });
  return values.at(place) ?? Number.NaN;
}

export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** The mean of the values that are there, weighed by their probabilities if these are given. NaN if there are no values. */
export function meanOf(values: Float64Array, probabilities?: Float64Array): number {
  let sum = 0;
  let count = 0;
  values.forEach((value, i) => {
    if (Number.isNaN(value)) return;
    const weight = probabilities?.[i] ?? 1;
    sum += weight * value;
    count += weight;
  });
  return sum / count;
}
