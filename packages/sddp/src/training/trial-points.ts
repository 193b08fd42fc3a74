import type { Basis } from "@cobre/solver";

/** The sizes of each node's basis when it was recorded. In a chain the nodes are the stages. */
export interface BasisSizes {
  readonly columns: Int32Array;
  readonly rows: Int32Array;
}

/** Where passes go, if it is not from the first of as many stages as there are nodes to the last. */
export interface Walks {
  readonly stages: number;
  /**
   * For each pass, the node at each place of its way: at each stage, and again in each further cycle where the first stage follows the last.
   * `undefined` if nodes are stages.
   */
  readonly nodes?: Int32Array | undefined;
  /** Whether the state at the end of the way is kept as well, because something follows it. */
  readonly hasEnd?: boolean | undefined;
}

/**
 * The states that the forward passes of an iteration visited, and the bases in which they ended. The ranks exchange them after the
 * forward passes. The backward sweep and the next forward passes start from them.
 */
export class TrialPoints {
  readonly passes: number;
  readonly stages: number;
  /** The number of places on the way of a pass: the stages, once for each cycle that it goes through. */
  readonly places: number;
  readonly dimension: number;
  /** For each pass: its cost in $, then the state at the start of each place. */
  readonly values: Float64Array;
  /** For each pass and place: the states of the columns, then of the rows. */
  readonly bases: Uint8Array;
  readonly sizes: BasisSizes;
  /** For each pass, the node at each place; `undefined` if nodes are stages. */
  readonly nodes: Int32Array | undefined;
  /** Whether there is a state at the end of the last place. */
  readonly hasEnd: boolean;
  /** The number of values per pass. */
  readonly width: number;
  /** For each pass and place, where its basis begins; then the end of the last one. */
  private readonly basisStarts: Float64Array;
  /** For each node, the first pass and place that went there, as `pass · places + place`; or -1. */
  private readonly firstVisit: Int32Array;

  constructor(
    passes: number,
    dimension: number,
    sizes: BasisSizes,
    bases?: Uint8Array,
    { nodes, stages, hasEnd = false }: Walks = { stages: sizes.columns.length },
  ) {
    this.passes = passes;
    this.stages = stages;
    this.places = nodes === undefined || passes === 0 ? stages : nodes.length / passes;
    this.dimension = dimension;
    this.sizes = sizes;
    this.nodes = nodes;
    this.hasEnd = hasEnd;
    this.width = 1 + (this.places + (hasEnd ? 1 : 0)) * dimension;
    const visits = passes * this.places;
    this.basisStarts = new Float64Array(visits + 1);
    this.firstVisit = new Int32Array(sizes.columns.length).fill(-1);
    for (let i = 0; i < visits; i++) {
      const node = nodes?.[i] ?? i % stages;
      this.basisStarts[i + 1] = this.basisStarts[i] + sizes.columns[node] + sizes.rows[node];
      if (this.firstVisit[node] < 0) this.firstVisit[node] = i;
    }
    this.values = new Float64Array(passes * this.width);
    this.bases = bases ?? new Uint8Array(this.basisStart(passes));
  }

  cost(pass: number): number {
    return this.values[pass * this.width];
  }

  setCost(pass: number, cost: number): void {
    this.values[pass * this.width] = cost;
  }

  /** The index in `values` of the state at the start of a stage or later place; with `hasEnd`, also of the one after the last. */
  stateOffset(pass: number, place: number): number {
    return pass * this.width + 1 + place * this.dimension;
  }

  /** The node through which a pass went at a place. */
  node(pass: number, place: number): number {
    return this.nodes?.[pass * this.places + place] ?? place;
  }

  /** Where the bases of a pass begin; of the pass after the last one, where they end. */
  basisStart(pass: number): number {
    return this.basisStarts[pass * this.places];
  }

  /** The bytes of bases of the first pass; those of the others, too, if all go through the same nodes. */
  get basisWidth(): number {
    return this.basisStart(1);
  }

  basis(pass: number, place: number): Basis {
    const node = this.node(pass, place);
    const start = this.basisStarts[pass * this.places + place];
    const middle = start + this.sizes.columns[node];
    return {
      columns: this.bases.subarray(start, middle),
      rows: this.bases.subarray(middle, middle + this.sizes.rows[node]),
    };
  }

  /**
   * A basis of a node: that of the pass at a place, if it was there at the node, else that of the first visit to the node; `undefined` if there was
   * none.
   */
  basisAt(pass: number, place: number, node: number): Basis | undefined {
    if (place < this.places && this.node(pass, place) === node) return this.basis(pass, place);
    return this.firstBasis(node);
  }

  /** The basis of the first visit to a node; `undefined` if there was none. */
  firstBasis(node: number): Basis | undefined {
    const visit = this.firstVisit[node];
    return visit < 0 ? undefined : this.basis(Math.floor(visit / this.places), visit % this.places);
  }

  setBasis(pass: number, place: number, { columns, rows }: Basis): void {
    const kept = this.basis(pass, place);
    kept.columns.set(columns);
    kept.rows.set(rows);
  }
}
