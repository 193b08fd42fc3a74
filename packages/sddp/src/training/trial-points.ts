import type { Basis } from "@cobre/solver";

/** The sizes of each stage's basis when it was recorded. */
export interface BasisSizes {
  readonly columns: Int32Array;
  readonly rows: Int32Array;
}

/**
 * The states that the forward passes of an iteration visited, and the bases in which they ended. The ranks exchange them after the
 * forward passes. The backward sweep and the next forward passes start from them.
 */
export class TrialPoints {
  readonly passes: number;
  readonly stages: number;
  readonly dimension: number;
  /** For each pass: its cost in $, then the state at the start of each stage. */
  readonly values: Float64Array;
  /** For each pass and stage: the states of the columns, then of the rows. */
  readonly bases: Uint8Array;
  readonly sizes: BasisSizes;
  /** The number of values per pass, and the bytes of bases per pass. */
  readonly width: number;
  readonly basisWidth: number;
  private readonly basisOffset: Int32Array;

  constructor(passes: number, dimension: number, sizes: BasisSizes, bases?: Uint8Array) {
    this.passes = passes;
    this.stages = sizes.columns.length;
    this.dimension = dimension;
    this.sizes = sizes;
    this.width = 1 + this.stages * dimension;
    this.basisOffset = new Int32Array(this.stages + 1);
    for (let stage = 0; stage < this.stages; stage++) {
      this.basisOffset[stage + 1] =
        this.basisOffset[stage] + sizes.columns[stage] + sizes.rows[stage];
    }
    this.basisWidth = this.basisOffset[this.stages];
    this.values = new Float64Array(passes * this.width);
    this.bases = bases ?? new Uint8Array(passes * this.basisWidth);
  }

  cost(pass: number): number {
    return this.values[pass * this.width];
  }

  setCost(pass: number, cost: number): void {
    this.values[pass * this.width] = cost;
  }

  /** The index in `values` of the state at the start of a stage. */
  stateOffset(pass: number, stage: number): number {
    return pass * this.width + 1 + stage * this.dimension;
  }

  basis(pass: number, stage: number): Basis {
    const start = pass * this.basisWidth + this.basisOffset[stage];
    const middle = start + this.sizes.columns[stage];
    return {
      columns: this.bases.subarray(start, middle),
      rows: this.bases.subarray(middle, middle + this.sizes.rows[stage]),
    };
  }

  setBasis(pass: number, stage: number, basis: Basis): void {
    const place = this.basis(pass, stage);
    place.columns.set(basis.columns);
    place.rows.set(basis.rows);
  }
}
