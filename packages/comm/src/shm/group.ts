import type { ArrayType, CommArray, ReduceOp } from "../arrays.js";
import { FoldKernels } from "../fold/kernel.js";
import { type FoldLoop, foldLoop } from "../fold/rule.js";
import { stir } from "./fingerprint.js";
import { type Layout, LINE, LINE_WORDS, RING } from "./layout.js";
import type { SharedMemory } from "./shared-memory.js";
import type { Waiting } from "./waiting.js";

/** A rank may announce this many further steps while it still reads an older one. */
const READING_LAG = 2;

/** How far a rank may be ahead of the slowest. */
const RUN_AHEAD = RING - READING_LAG;

/** A rank that has to wait for room waits for more than one step's, so that it waits seldom. */
const ROOM = RING >> 1;

/**
 * This rank's place in a group: it announces steps and waits for those of others. The collectives
 * are written in its words.
 *
 * A rank that announces step s knows that all others have announced step s - 5 or a later one. As
 * nobody announces more than two steps beyond one that it still reads, all have read step s - 8,
 * whose line and slot are now used again.
 */
export class Group {
  readonly rank: number;
  readonly size: number;
  readonly layout: Layout;
  readonly shared: SharedMemory;
  readonly words: Int32Array;
  readonly doubles: Float64Array;

  /** The last step this rank has announced. */
  private step: number;
  /** The last step that all others are known to have announced. */
  private met: number;
  private call = 0;
  private length = 0;
  private history = 0;

  private readonly waiting: Waiting;
  /** The first word of each rank's lines. */
  private readonly lines: Int32Array;
  private readonly sleepWords: Int32Array;
  private readonly views: CommArray[] = [];
  private readonly kernels: FoldKernels;

  constructor(
    shared: SharedMemory,
    layout: Layout,
    rank: number,
    firstStep: number,
    waiting: Waiting,
  ) {
    this.shared = shared;
    this.layout = layout;
    this.rank = rank;
    this.size = layout.size;
    this.words = new Int32Array(shared.buffer);
    this.doubles = new Float64Array(shared.buffer);
    this.step = firstStep;
    this.met = firstStep;
    this.waiting = waiting;
    this.lines = Int32Array.from({ length: this.size }, (_, r) => layout.lines(r) >> 2);
    this.sleepWords = Int32Array.from({ length: this.size }, (_, r) => layout.sleepWord(r) >> 2);
    this.kernels = new FoldKernels(shared.memory);
  }

  /**
   * Opens a collective: what is called goes into the history, which every step of it carries.
   * `stirred` stands for whatever else must be equal on all ranks. Returns whether the call is the
   * same as the one before.
   */
  open(call: number, length: number, stirred = 0): boolean {
    const repeated = call === this.call && length === this.length;
    this.call = call;
    this.length = length;
    this.history = stir(stir(stir(this.history, call), length ^ (length / 2 ** 32)), stirred);
    this.waiting.open();
    return repeated;
  }

  /** The next step. When it returns, the step's line and slot are free to be written. */
  next(): number {
    const step = (this.step + 1) | 0;
    if (((step - this.met) | 0) >= RUN_AHEAD) this.awaitAll((step - ROOM) | 0);
    return step;
  }

  /** Announces a step whose payload is in place. */
  announce(step: number): void {
    const { words } = this;
    const line = this.lineOf(this.rank, step);
    words[line + LINE.call] = this.call;
    words[line + LINE.history] = this.history;
    this.doubles[(line + LINE.length) >> 1] = this.length;
    Atomics.store(words, line + LINE.step, step);
    this.step = step;
    for (let r = 0; r < this.size; r++) {
      if (Atomics.load(words, this.sleepWords[r] as number) === this.rank + 1) {
        this.waiting.wake(line + LINE.step);
      }
    }
  }

  /** Waits until everybody has announced the step, and checks that all have called the same. */
  meet(step: number): void {
    this.awaitAll(step);
    const { words } = this;
    for (let r = 0; r < this.size; r++) {
      if (words[this.lineOf(r, step) + LINE.history] !== this.history) this.mismatch(r, step);
    }
  }

  /** Waits until one rank has announced the step, and checks that it has called the same. */
  awaitRank(rank: number, step: number): void {
    this.awaitStep(rank, step);
    const line = this.lineOf(rank, step);
    if (this.words[line + LINE.history] !== this.history) this.mismatch(rank, step);
  }

  private awaitAll(step: number): void {
    for (let r = 0; r < this.size; r++) if (r !== this.rank) this.awaitStep(r, step);
    if (((step - this.met) | 0) > 0) this.met = step;
  }

  private awaitStep(rank: number, step: number): void {
    const word = this.lineOf(rank, step) + LINE.step;
    // A rank may be ahead by more than a ring where nothing of the step is read any longer.
    if (((Atomics.load(this.words, word) - step) | 0) < 0) {
      this.waiting.untilAnnounced(rank, word, step, this.call);
    }
  }

  private mismatch(other: number, step: number): never {
    const line = this.lineOf(other, step);
    this.waiting.failMismatch(
      this.call,
      this.length,
      other,
      this.words[line + LINE.call] as number,
      this.doubles[(line + LINE.length) >> 1] as number,
    );
  }

  /** The first word of a rank's line for a step. */
  private lineOf(rank: number, step: number): number {
    return (this.lines[rank] as number) + (step & (RING - 1)) * LINE_WORDS;
  }

  /** Where, in bytes, a rank's small payload for a step stands. */
  inline(rank: number, step: number): number {
    return (this.lineOf(rank, step) + LINE.payload) << 2;
  }

  /** All of the memory as elements of one type. */
  view(type: ArrayType): CommArray {
    const view = this.views[type.code];
    if (view !== undefined) return view;
    const made = new type.constructorFunction(this.shared.buffer);
    this.views[type.code] = made;
    return made;
  }

  /** The kernel that folds in this memory. */
  kernel(type: ArrayType, op: ReduceOp) {
    return this.kernels.kernel(type, op);
  }

  loop(type: ArrayType, op: ReduceOp): FoldLoop {
    return foldLoop(type, op);
  }
}

/** Copies `count` elements as bytes. `from` and `to` are of one type. */
export function copyElements(
  from: CommArray,
  fromAt: number,
  to: CommArray,
  toAt: number,
  count: number,
): void {
  const source =
    fromAt === 0 && count === from.length ? from : from.subarray(fromAt, fromAt + count);
  (to as Float64Array).set(source as Float64Array, toAt);
}
