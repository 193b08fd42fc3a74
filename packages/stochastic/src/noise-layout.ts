/** The classes of things that are uncertain, in the order in which a noise vector holds them. */
export type NoiseClass = "inflow" | "load" | "ncs";

/**
 * What a noise vector holds: one number for each hydro plant, then for each bus with uncertain load, then for each
 * uncertain source; each class by id.
 *
 * @example
 * ```ts
 * const layout = new NoiseLayout({ inflow: [0, 3], load: [1] });
 * layout.dimension; // 3
 * layout.indexOf("load", 1); // 2
 * ```
 */
export class NoiseLayout {
  readonly inflow: readonly number[];
  readonly load: readonly number[];
  readonly ncs: readonly number[];
  readonly dimension: number;
  private readonly positions = new Map<string, number>();

  constructor(ids: {
    readonly inflow: readonly number[];
    readonly load?: readonly number[];
    readonly ncs?: readonly number[];
  }) {
    this.inflow = sorted(ids.inflow);
    this.load = sorted(ids.load ?? []);
    this.ncs = sorted(ids.ncs ?? []);
    for (const noiseClass of ["inflow", "load", "ncs"] as const) {
      for (const id of this[noiseClass]) {
        this.positions.set(`${noiseClass} ${id}`, this.positions.size);
      }
    }
    this.dimension = this.positions.size;
  }

  /** Where the noise of an entity is, or `undefined` if it is not uncertain. */
  indexOf(noiseClass: NoiseClass, id: number): number | undefined {
    return this.positions.get(`${noiseClass} ${id}`);
  }
}

function sorted(ids: readonly number[]): readonly number[] {
  return [...ids].sort((a, b) => a - b);
}
