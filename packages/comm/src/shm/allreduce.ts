/**
 * Allreduce takes one of three ways, by the length of the vectors. All fold in rank order.
 *
 * - **inline**: the contribution travels in the line. One step; every rank folds everything.
 * - **whole**: the contribution travels in a slot. One step; every rank folds everything.
 * - **blocks**: the vector is cut into parts that fit into a slot, and each part into one block per
 *   rank. A part takes two steps: every rank contributes the blocks that others fold, rank b folds
 *   block b, and every rank collects the folded blocks. A rank contributes the next part before it
 *   folds this one, and collects a part after it has folded its block of the next. So a rank that
 *   is a little late does not delay the others.
 *
 * Reading other ranks' memory directly was tried. It is not faster.
 */
import {
  type ArrayType,
  type CommArray,
  copyElements,
  REDUCE_OPS,
  type ReduceOp,
} from "../arrays.js";
import { blockStart } from "../blocks.js";
import { foldLoop } from "../fold/rule.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import type { Group } from "./group.js";
import { INLINE_WORDS, SLOT_BYTES } from "./layout.js";

const INLINE_BYTES = INLINE_WORDS * 4;

/** Up to this size, one step in which every rank folds everything is faster than two steps. */
const WHOLE_BYTES = 16_384;

/** Up to this size, a plain loop is faster than the kernel plus a copy of its result. */
const LOOP_BYTES = 256;

export function allreduce(
  group: Group,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  const bytes = send.length * type.bytesPerElement;
  group.open(encodeCall(CALLS.allreduce, type.code, REDUCE_OPS[op], 0), send.length);
  if (bytes <= INLINE_BYTES) reduceInline(group, send, recv, type, op);
  else if (bytes <= WHOLE_BYTES) reduceWhole(group, send, recv, type, op);
  else reduceBlocks(group, send, recv, type, op);
}

function reduceInline(
  group: Group,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  const perWord = 4 / type.bytesPerElement;
  const n = send.length;
  const view = group.view(type);
  const step = group.next();
  const mine = group.inline(group.rank, step) * perWord;
  // The copy may change a NaN's payload. That is harmless: the fold makes every NaN canonical.
  for (let i = 0; i < n; i++) view[mine + i] = send[i] as number & bigint;
  group.announce(step);
  group.meet(step);
  const loop = foldLoop(type, op);
  loop(recv, 0, view, group.inline(0, step) * perWord, view, group.inline(1, step) * perWord, n);
  for (let r = 2; r < group.size; r++) {
    loop(recv, 0, recv, 0, view, group.inline(r, step) * perWord, n);
  }
}

function reduceWhole(
  group: Group,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  const size = type.bytesPerElement;
  const n = send.length;
  const { layout } = group;
  const view = group.view(type);
  const step = group.nextWithSlot();
  copyElements(send, 0, view, layout.slot(group.rank, step) / size, n);
  group.announce(step);
  group.meet(step);
  if (n * size <= LOOP_BYTES) {
    const loop = foldLoop(type, op);
    loop(recv, 0, view, layout.slot(0, step) / size, view, layout.slot(1, step) / size, n);
    for (let r = 2; r < group.size; r++) {
      loop(recv, 0, recv, 0, view, layout.slot(r, step) / size, n);
    }
  } else {
    const { scratch } = group.shared;
    const kernel = group.kernel(type, op);
    kernel(scratch, layout.slot(0, step), layout.slot(1, step), n);
    for (let r = 2; r < group.size; r++) kernel(scratch, scratch, layout.slot(r, step), n);
    (recv as Float64Array).set(group.scratchPart(type, n) as Float64Array);
  }
}

function reduceBlocks(
  group: Group,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  op: ReduceOp,
): void {
  const part = SLOT_BYTES / type.bytesPerElement;
  let contributed = contribute(group, send, type, 0);
  let folded = 0;
  for (let at = 0; at < send.length; at += part) {
    const step = contributed;
    if (at + part < send.length) contributed = contribute(group, send, type, at + part);
    group.meet(step);
    const before = folded;
    folded = foldMyBlock(group, send, type, op, step, at);
    if (at > 0) collect(group, before, recv, type, at - part);
  }
  collect(group, folded, recv, type, Math.floor((send.length - 1) / part) * part);
}

/**
 * Announces a step with this rank's part of the vector from `at` on, without its own block. Returns
 * the step.
 */
function contribute(group: Group, send: CommArray, type: ArrayType, at: number): number {
  const size = type.bytesPerElement;
  const count = Math.min(SLOT_BYTES / size, send.length - at);
  const from = blockStart(type, group.rank, group.size, count);
  const to = blockStart(type, group.rank + 1, group.size, count);
  const step = group.nextWithSlot();
  const slot = group.layout.slot(group.rank, step) / size;
  const view = group.view(type);
  if (from > 0) copyElements(send, at, view, slot, from);
  if (to < count) copyElements(send, at + to, view, slot + to, count - to);
  group.announce(step);
  return step;
}

/** Folds this rank's block of a contributed part and announces it. Returns the step. */
function foldMyBlock(
  group: Group,
  send: CommArray,
  type: ArrayType,
  op: ReduceOp,
  contributed: number,
  at: number,
): number {
  const size = type.bytesPerElement;
  const count = Math.min(SLOT_BYTES / size, send.length - at);
  const { layout, rank } = group;
  const { scratch } = group.shared;
  const from = blockStart(type, rank, group.size, count);
  const n = blockStart(type, rank + 1, group.size, count) - from;
  const step = group.nextWithSlot();
  if (n > 0) {
    // No other rank needs this rank's own operand, so it goes to private memory.
    copyElements(send, at + from, group.view(type), scratch / size, n);
    const kernel = group.kernel(type, op);
    const operand = (r: number) =>
      r === rank ? scratch : layout.slot(r, contributed) + from * size;
    const out = layout.slot(rank, step) + from * size;
    kernel(out, operand(0), operand(1), n);
    for (let r = 2; r < group.size; r++) kernel(out, out, operand(r), n);
  }
  group.announce(step);
  return step;
}

/** Copies every rank's block of a part into place. */
function collect(group: Group, step: number, recv: CommArray, type: ArrayType, at: number): void {
  const view = group.view(type);
  const count = Math.min(SLOT_BYTES / type.bytesPerElement, recv.length - at);
  for (let i = 0; i < group.size; i++) {
    const r = (group.rank + i) % group.size;
    const from = blockStart(type, r, group.size, count);
    const to = blockStart(type, r + 1, group.size, count);
    if (r !== group.rank) group.awaitRank(r, step);
    const slot = group.layout.slot(r, step) / type.bytesPerElement;
    if (to > from) copyElements(view, slot + from, recv, at + from, to - from);
  }
}
