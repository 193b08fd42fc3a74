/**
 * The cuts of one stage, θ ≥ intercept + coefficients · (outgoing state), in thousands of $. A cut's slot follows from its
 * iteration and forward pass alone, so that all ranks have the same pool.
 */
export class CutPool {
  readonly dimension: number;
  /** How many cuts there are; slots 0 to `count - 1`. */
  count = 0;
  private values: Float64Array;
  private origins: Int32Array;

  constructor(dimension: number, capacity = 64) {
    this.dimension = dimension;
    this.values = new Float64Array(capacity * (1 + dimension));
    this.origins = new Int32Array(capacity * 2);
  }

  /** Adds a cut in the next slot. */
  add(
    iteration: number,
    forwardPass: number,
    intercept: number,
    coefficients: Float64Array,
  ): number {
    const slot = this.count;
    const width = 1 + this.dimension;
    if ((slot + 1) * width > this.values.length || (slot + 1) * 2 > this.origins.length)
      this.grow();
    this.values[slot * width] = intercept;
    this.values.set(coefficients, slot * width + 1);
    this.origins[slot * 2] = iteration;
    this.origins[slot * 2 + 1] = forwardPass;
    this.count++;
    return slot;
  }

  intercept(slot: number): number {
    return this.values[slot * (1 + this.dimension)];
  }

  /** Of the state's component `index`. */
  coefficient(slot: number, index: number): number {
    return this.values[slot * (1 + this.dimension) + 1 + index];
  }

  /** 0 for a cut that was there before training. */
  iteration(slot: number): number {
    return this.origins[slot * 2];
  }

  forwardPass(slot: number): number {
    return this.origins[slot * 2 + 1];
  }

  /** Intercept and coefficients of each cut, one behind the other. */
  packedValues(): Float64Array {
    return this.values.subarray(0, this.count * (1 + this.dimension));
  }

  /** Iteration and forward pass of each cut, one behind the other. */
  packedOrigins(): Int32Array {
    return this.origins.subarray(0, this.count * 2);
  }

  /** The pool that {@link packedValues} and {@link packedOrigins} are of. */
  static from(dimension: number, values: Float64Array, origins: Int32Array): CutPool {
    const pool = new CutPool(dimension, 1);
    pool.values = values.slice();
    pool.origins = origins.slice();
    pool.count = origins.length / 2;
    return pool;
  }

  private grow(): void {
    const capacity = Math.max(64, this.count * 2);
    const values = new Float64Array(capacity * (1 + this.dimension));
    values.set(this.packedValues());
    const origins = new Int32Array(capacity * 2);
    origins.set(this.packedOrigins());
    this.values = values;
    this.origins = origins;
  }
}
