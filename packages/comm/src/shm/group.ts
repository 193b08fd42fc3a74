import { type ArrayType, type CommArray, REDUCE_OPS, type ReduceOp } from "../arrays.js";
import { type FoldKernel, foldKernel } from "../fold/kernel.js";
import { stir } from "../group/fingerprint.js";
import { kernelOver } from "../kernel/instance.js";
import type { SharedMemory } from "../memory/shared-memory.js";
import type { Direct } from "./direct.js";
import { type Layout, LINE, LINE_WORDS, RANK_LINES_BYTES, RING, SLOTS } from "./layout.js";
import { Staging } from "./staging.js";
import type { Waiting } from "./waiting.js";
import { WordView } from "./word-view.js";

/**
 * A rank may announce this many further steps while it still reads an older one. With long messages
 * ranks write that far ahead, so one that is a little late does not delay the others.
 */
export const READING_LAG = 3;

/** How far a rank may be ahead of the slowest one. Its lines limit it, or its slots. */
const LINES_AHEAD = RING - READING_LAG;
const SLOTS_AHEAD = SLOTS - READING_LAG;

/** `meet` in assembly/steps.ts adds this to a rank whose history differs. */
const DIFFERS = 0x10000;

/** The functions exported by assembly/steps.ts. */
interface StepKernel {
  configure(
    lines: number,
    rankStride: number,
    lineBytes: number,
    ring: number,
    rank: number,
    size: number,
    spins: number,
    fenced: boolean,
  ): void;
  announce(step: number, call: number, history: number, length: number): number;
  awaitRank(rank: number, step: number): number;
  awaitAll(step: number): number;
  meet(step: number, history: number): number;
}

/**
 * This rank's place in a group: it announces steps and waits for the steps of others. The
 * collectives are built from its methods.
 *
 * No rank announces more than three steps beyond one that it still reads. So a rank that announces
 * step s may reuse the line of step s - 128 once all others have announced step s - 124 or later,
 * and the slot of step s - 16 once they have announced step s - 12 or later.
 */
export class Group {
  readonly rank: number;
  readonly size: number;
  readonly layout: Layout;
  readonly shared: SharedMemory;
  readonly direct: Direct;
  readonly staging: Staging;
  /** The whole memory as 32-bit words. */
  readonly words: Int32Array;
  /** The caller's arrays, as words. */
  readonly sendWords = new WordView();
  readonly recvWords = new WordView();

  /** The last step that this rank has announced. */
  private step: number;
  /** The last step that all others are known to have announced. */
  private met: number;
  /** The current call; see `group/fingerprint.ts`. */
  call = 0;
  private length = 0;
  private history = 0;

  private readonly waiting: Waiting;
  private readonly exports: WebAssembly.Exports;
  private readonly steps: StepKernel;
  private readonly views: CommArray[] = [];
  private readonly kernels: FoldKernel[] = [];
  private part: CommArray | undefined;
  private partType: ArrayType | undefined;

  constructor(
    shared: SharedMemory,
    layout: Layout,
    rank: number,
    firstStep: number,
    waiting: Waiting,
    direct: Direct,
    share: (group: Group, bytes: number) => SharedMemory,
    fenced: boolean,
  ) {
    this.direct = direct;
    this.staging = new Staging(layout.size, (bytes) => share(this, bytes));
    this.shared = shared;
    this.layout = layout;
    this.rank = rank;
    this.size = layout.size;
    this.words = new Int32Array(shared.buffer);
    this.step = firstStep;
    this.met = firstStep;
    this.waiting = waiting;
    this.exports = kernelOver(shared.memory);
    this.steps = this.exports as unknown as StepKernel;
    const { looks } = waiting.patience;
    const lineBytes = LINE_WORDS * 4;
    const lines = layout.lines(0);
    this.steps.configure(lines, RANK_LINES_BYTES, lineBytes, RING, rank, this.size, looks, fenced);
  }

  /** The process id of rank 0. */
  get leaderPid(): number {
    return this.waiting.membership.records.pid(0);
  }

  /**
   * Opens a collective: adds the call to the history that every step carries. `stirred` stands for
   * anything else that must be equal on all ranks. Returns whether this call repeats the previous
   * one.
   */
  open(call: number, length: number, stirred = 0): boolean {
    const repeated = call === this.call && length === this.length;
    this.call = call;
    this.length = length;
    this.history = stir(stir(stir(this.history, call), length ^ (length / 2 ** 32)), stirred);
    this.waiting.open();
    return repeated;
  }

  /** Returns the next step. Its line is then free to be written. */
  next(): number {
    const step = (this.step + 1) | 0;
    // Waiting for one line would do. Waiting for half of them makes waits rare.
    if (((step - this.met) | 0) >= LINES_AHEAD) this.awaitAll((step - RING / 2) | 0);
    return step;
  }

  /** Returns the next step. Its line and its slot are then free to be written. */
  nextWithSlot(): number {
    const step = (this.step + 1) | 0;
    if (((step - this.met) | 0) >= SLOTS_AHEAD) this.awaitAll((step - SLOTS / 2) | 0);
    return step;
  }

  /** Announces a step whose payload is in place. */
  announce(step: number): void {
    this.step = step;
    if (this.steps.announce(step, this.call, this.history, this.length) !== 0) {
      this.waiting.wake(this.lineOf(this.rank, step) + LINE.step);
    }
  }

  /** Waits until all ranks have announced the step, and checks that all made the same call. */
  meet(step: number): void {
    let found = this.steps.meet(step, this.history);
    while (found !== -1) {
      if (found >= DIFFERS) this.mismatch(found - DIFFERS, step);
      this.awaitPatiently(found, step);
      found = this.steps.meet(step, this.history);
    }
    if (((step - this.met) | 0) > 0) this.met = step;
  }

  /**
   * All ranks meet in a step without a payload. When it returns, every rank has finished whatever
   * it read or wrote before.
   */
  meetAll(): void {
    const step = this.next();
    this.announce(step);
    this.meet(step);
  }

  /** Waits until one rank has announced the step, and checks that it made the same call. */
  awaitRank(rank: number, step: number): void {
    if (this.steps.awaitRank(rank, step) === 0) this.awaitPatiently(rank, step);
    const line = this.lineOf(rank, step);
    if (this.words[line + LINE.history] !== this.history) this.mismatch(rank, step);
  }

  private awaitAll(step: number): void {
    for (;;) {
      const late = this.steps.awaitAll(step);
      if (late === this.size) break;
      this.awaitPatiently(late, step);
    }
    if (((step - this.met) | 0) > 0) this.met = step;
  }

  private awaitPatiently(rank: number, step: number): void {
    this.waiting.untilAnnounced(rank, this.lineOf(rank, step) + LINE.step, step, this.call);
  }

  private mismatch(other: number, step: number): never {
    const line = this.lineOf(other, step);
    const length = new Float64Array(this.shared.buffer, (line + LINE.length) * 4, 1);
    this.waiting.membership.failMismatch(
      this.call,
      this.length,
      other,
      this.words[line + LINE.call] as number,
      length[0] as number,
    );
  }

  /** The first word of a rank's line for a step. */
  private lineOf(rank: number, step: number): number {
    return (this.layout.lines(rank) >> 2) + (step & (RING - 1)) * LINE_WORDS;
  }

  /** The word at which a rank's inline payload for a step begins. */
  inline(rank: number, step: number): number {
    return this.lineOf(rank, step) + LINE.payload;
  }

  /** The whole memory as elements of one type. */
  view(type: ArrayType): CommArray {
    const view = this.views[type.code];
    if (view !== undefined) return view;
    const made = new type.constructorFunction(this.shared.buffer);
    this.views[type.code] = made;
    return made;
  }

  /**
   * The first `n` elements of the scratch memory. The last result is remembered, because calls tend
   * to repeat.
   */
  scratchPart(type: ArrayType, n: number): CommArray {
    if (this.part?.length === n && this.partType === type) return this.part;
    this.partType = type;
    this.part = new type.constructorFunction(this.shared.buffer, this.shared.scratch, n);
    return this.part;
  }

  /** The kernel for one type and operation, working on this memory. */
  kernel(type: ArrayType, op: ReduceOp): FoldKernel {
    const key = type.code * 4 + REDUCE_OPS[op];
    const kernel = this.kernels[key];
    if (kernel !== undefined) return kernel;
    const found = foldKernel(this.exports, type, op);
    this.kernels[key] = found;
    return found;
  }
}
