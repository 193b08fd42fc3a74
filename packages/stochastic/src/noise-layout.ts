/** The classes of uncertain quantities, in their order in a noise vector. */
export type NoiseClass = "inflow" | "load" | "ncs";

/**
 * The layout of a noise vector: one number for each hydro plant, then for each bus with uncertain load, then for each
 * uncertain source, each class in the order in which it is given.
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
    this.inflow = [...ids.inflow];
    this.load = [...(ids.load ?? [])];
    this.ncs = [...(ids.ncs ?? [])];
    for (const noiseClass of ["inflow", "load", "ncs"] as const) {
      for (const id of this[noiseClass]) {
        this.positions.set(`${noiseClass} ${id}`, this.positions.size);
      }
    }
    this.dimension = this.positions.size;
  }

  /** The index of an entity's noise, or `undefined` if it has none. */
  indexOf(noiseClass: NoiseClass, id: number): number | undefined {
    return this.positions.get(`${noiseClass} ${id}`);
  }
}
