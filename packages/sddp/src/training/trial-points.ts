import type { Basis } from "@cobre/solver";

/** How large the bases of each stage were when they were recorded. */
export interface BasisSizes {
  readonly columns: Int32Array;
  readonly rows: Int32Array;
}

/**
 * Where the forward passes of an iteration went, and the bases they ended in: what ranks tell each other after the forward
 * passes, and where the solves of the backward sweep and of the next forward passes start.
 */
export class TrialPoints {
  readonly passes: number;
  readonly stages: number;
  readonly dimension: number;
  /** Of each pass its cost in $, then the state at the start of each stage. */
  readonly values: Float64Array;
  /** Of each pass and stage: columns, then rows. */
  readonly bases: Uint8Array;
  readonly sizes: BasisSizes;
  /** How many values a pass has, and how many bytes of bases. */
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

  /** Where in `values` the state at the start of a stage is. */
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
