import { type CutMemory, OWN_MEMORY } from "./cut-memory.js";
import { HeightKernel, type HeightTerms } from "./height-kernel.js";

/** The first piece of a pool has room for this many cuts. Each further piece has room for twice as many as the one before, … */
const FIRST_PIECE = 16;
/** … but no more numbers than this, so that little is reserved in vain. */
const LARGEST_PIECE = 2 ** 17;

/** Of this process; made when heights are asked for first. */
let kernel: HeightKernel | undefined;
/** How many pools there have been. */
let pools = 0;

/**
 * The cuts of one stage, θ ≥ intercept + coefficients · (outgoing state), in thousands of $. Every rank adds the cuts in the order
 * of iterations and forward passes, so all ranks have the same pool. Their numbers may lie in memory that the ranks of a machine share.
 */
export class CutPool {
  readonly dimension: number;
  /** How many cuts there are; slots 0 to `count - 1`. */
  count = 0;
  /** No other pool of this process has it. `#`, because pools with the same cuts are deeply equal. */
  readonly #name = ++pools;
  private readonly memory: CutMemory;
  /** Intercept and coefficients of each cut. A pool grows by pieces, because memory that is shared cannot move. */
  private readonly pieces: Float64Array[] = [];
  /** The first slot of each piece, and the first slot for which there is no room yet. */
  private readonly starts: number[] = [0];
  private origins = new Int32Array(2 * FIRST_PIECE);
  /** For each slot, 1 if its cut belongs in the programs; `undefined` as long as all do. */
  private flags: Uint8Array | undefined;
  /** The piece in which a cut was looked for last. */
  private recent = 0;

  constructor(dimension: number, memory: CutMemory = OWN_MEMORY) {
    this.dimension = dimension;
    this.memory = memory;
  }

  /** Adds a cut in the next slot. A rank that does not write it may leave out its numbers. */
  add(
    iteration: number,
    forwardPass: number,
    intercept: number,
    coefficients: Float64Array,
  ): number {
    const slot = this.reserve(iteration, forwardPass);
    if (this.memory.isWriter) {
      const values = this.valuesOf(slot);
      values[0] = intercept;
      values.set(coefficients, 1);
    }
    return slot;
  }

  /** Adds a cut whose numbers another rank writes. */
  addUnwritten(iteration: number, forwardPass: number): number {
    return this.reserve(iteration, forwardPass);
  }

  /** The intercept and the coefficients of a cut; not a copy. */
  valuesOf(slot: number): Float64Array {
    const offset = this.offsetOf(slot);
    return this.pieceOf(slot).subarray(offset, offset + 1 + this.dimension);
  }

  intercept(slot: number): number {
    return this.pieceOf(slot)[this.offsetOf(slot)];
  }

  /** The coefficient of component `index` of the state. */
  coefficient(slot: number, index: number): number {
    return this.pieceOf(slot)[this.offsetOf(slot) + 1 + index];
  }

  /** The iteration that made the cut; 0 for a cut from before training. */
  iteration(slot: number): number {
    return this.origins[slot * 2];
  }

  forwardPass(slot: number): number {
    return this.origins[slot * 2 + 1];
  }

  /** Whether the cut belongs in the programs. Cut selection leaves out those that are not needed; new cuts belong there. */
  isActive(slot: number): boolean {
    return (this.flags?.[slot] ?? 1) === 1;
  }

  /** How many cuts belong in the programs. */
  get active(): number {
    if (this.flags === undefined) return this.count;
    let active = this.count - this.flags.length;
    for (const flag of this.flags) active += flag;
    return active;
  }

  /** Says of each cut whether it belongs in the programs: 1 or 0. */
  select(flags: Uint8Array): void {
    this.flags = flags.slice(0, this.count);
  }

  /**
   * The heights of the cuts from slot `first` on at a state, which is read from `states` at `offset`, in thousands of $. Returns the highest, or
   * minus infinity if there is none.
   */
  heights(first: number, states: Float64Array, offset: number, heights: Float64Array): number {
    return this.addTerms({ first, from: 0, to: this.dimension, states, offset }, heights);
  }

  /** Some terms of the heights of cuts, for those who add the others before or after. Returns the highest sum. */
  addTerms(terms: HeightTerms, heights: Float64Array): number {
    kernel ??= new HeightKernel();
    if (!kernel.holds(this.#name, this.count)) {
      const copy = kernel.reserve(this.#name, this.count, this.dimension);
      if (copy === undefined) return this.addPlainTerms(terms, heights);
      this.copyValues(copy);
    }
    return kernel.compute(terms, heights);
  }

  /** What {@link addTerms} does, to the last bit, for cuts that are too many for the kernel. */
  private addPlainTerms(
    { first, sums, from, to, states, offset }: HeightTerms,
    heights: Float64Array,
  ): number {
    let highest = Number.NEGATIVE_INFINITY;
    for (let slot = first; slot < this.count; slot++) {
      const values = this.valuesOf(slot);
      let height = sums === undefined ? values[0] : sums[slot - first];
      for (let k = from; k < to; k++) height += values[1 + k] * states[offset + k];
      heights[slot - first] = height;
      if (height > highest) highest = height;
    }
    return highest;
  }

  /** What a cut adds up to for some components of a state only; the value of `components[i]` is `values[places[i]]`. */
  partialHeight(
    slot: number,
    components: Int32Array,
    values: Float64Array,
    places: Int32Array,
  ): number {
    const piece = this.pieceOf(slot);
    const at = this.offsetOf(slot);
    let height = piece[at];
    for (let i = 0; i < components.length; i++) {
      height += piece[at + 1 + components[i]] * values[places[i]];
    }
    return height;
  }

  /** A copy of intercept and coefficients of each cut, cut after cut. */
  packedValues(): Float64Array {
    const all = new Float64Array(this.count * (1 + this.dimension));
    this.copyValues(all);
    return all;
  }

  /** A copy of iteration and forward pass of each cut, cut after cut. */
  packedOrigins(): Int32Array {
    return this.origins.slice(0, this.count * 2);
  }

  /** A copy of whether each cut belongs in the programs; `undefined` if all do. */
  packedFlags(): Uint8Array | undefined {
    if (this.active === this.count) return undefined;
    return Uint8Array.from({ length: this.count }, (_, slot) => (this.isActive(slot) ? 1 : 0));
  }

  /**
   * Rebuilds a pool from its {@link packedValues}, {@link packedOrigins} and {@link packedFlags}. Collective if the memory is shared.
   */
  static from(
    dimension: number,
    values: Float64Array,
    origins: Int32Array,
    memory: CutMemory = OWN_MEMORY,
    flags?: Uint8Array,
  ): CutPool {
    const pool = new CutPool(dimension, memory);
    const count = origins.length / 2;
    if (count === 0) return pool;
    const piece = memory.allocate(values.length);
    if (memory.isWriter) piece.set(values);
    pool.pieces.push(piece);
    pool.starts.push(count);
    pool.origins = origins.slice();
    pool.count = count;
    pool.flags = flags?.slice();
    return pool;
  }

  private copyValues(all: Float64Array): void {
    const width = 1 + this.dimension;
    this.pieces.forEach((piece, i) => {
      const count = Math.min(this.starts[i + 1], this.count) - this.starts[i];
      if (count > 0) all.set(piece.subarray(0, count * width), this.starts[i] * width);
    });
  }

  private reserve(iteration: number, forwardPass: number): number {
    const slot = this.count++;
    if (slot === this.starts[this.starts.length - 1]) this.grow();
    if (slot * 2 === this.origins.length) {
      const origins = new Int32Array(2 * this.origins.length);
      origins.set(this.origins);
      this.origins = origins;
    }
    this.origins[slot * 2] = iteration;
    this.origins[slot * 2 + 1] = forwardPass;
    return slot;
  }

  private grow(): void {
    const width = 1 + this.dimension;
    const end = this.starts[this.starts.length - 1];
    const most = Math.max(FIRST_PIECE, Math.floor(LARGEST_PIECE / width));
    const room = Math.min(FIRST_PIECE * 2 ** this.pieces.length, most);
    this.pieces.push(this.memory.allocate(room * width));
    this.starts.push(end + room);
  }

  private pieceOf(slot: number): Float64Array {
    const { starts } = this;
    // Cuts are mostly read one after the other.
    while (slot < starts[this.recent]) this.recent--;
    while (slot >= starts[this.recent + 1]) this.recent++;
    return this.pieces[this.recent];
  }

  private offsetOf(slot: number): number {
    this.pieceOf(slot);
    return (slot - this.starts[this.recent]) * (1 + this.dimension);
  }
}
