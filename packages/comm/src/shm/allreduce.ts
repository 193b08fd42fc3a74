/**
 * Allreduce, in three ways by the length of the vectors; all fold in rank order.
 *
 * - **inline**: the contribution travels in the line. One step; every rank folds everything.
 * - **whole**: it travels in a slot. One step; every rank folds everything.
 * - **blocks**: the vector is cut into parts of a slot, each part into one block per rank. Two steps a
 *   part: everybody contributes the part, rank b folds block b of it, everybody collects the blocks.
 *   The contribution of the next part is announced before the blocks of this one are waited for.
 */
import type { ArrayType, CommArray, ReduceOp } from "../arrays.js";
import { REDUCE_OPS } from "../arrays.js";
import { CALLS, encodeCall } from "./fingerprint.js";
import { copyElements, type Group } from "./group.js";
import { INLINE_BYTES, SLOT_BYTES } from "./layout.js";

/** Up to here one step and R times the folding is faster than two steps. */
const WHOLE_BYTES = 16_384;

/** Up to here a plain loop is faster than the kernel and the copy of its result. */
const LOOP_BYTES = 512;

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
  const size = type.bytesPerElement;
  const n = send.length;
  const view = group.view(type);
  const step = group.next();
  const mine = group.inline(group.rank, step) / size;
  // A NaN's payload may change on the way: whatever is folded becomes the canonical one anyway.
  for (let i = 0; i < n; i++) view[mine + i] = send[i] as number & bigint;
  group.announce(step);
  group.meet(step);
  const loop = group.loop(type, op);
  loop(recv, 0, view, group.inline(0, step) / size, view, group.inline(1, step) / size, n);
  for (let r = 2; r < group.size; r++) {
    loop(recv, 0, recv, 0, view, group.inline(r, step) / size, n);
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
  const view = group.view(type);
  const step = group.next();
  copyElements(send, 0, view, group.layout.slot(group.rank, step) / size, n);
  group.announce(step);
  group.meet(step);
  if (n * size <= LOOP_BYTES) {
    const loop = group.loop(type, op);
    const { layout } = group;
    loop(recv, 0, view, layout.slot(0, step) / size, view, layout.slot(1, step) / size, n);
    for (let r = 2; r < group.size; r++) {
      loop(recv, 0, recv, 0, view, layout.slot(r, step) / size, n);
    }
  } else {
    const { scratch } = group.shared;
    foldInPlace(group, type, op, step, 0, n, scratch);
    copyElements(view, scratch / size, recv, 0, n);
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
  for (let at = 0; at < send.length; at += part) {
    const step = contributed;
    if (at + part < send.length) contributed = contribute(group, send, type, at + part);
    group.meet(step);
    const count = Math.min(part, send.length - at);
    collect(group, foldMyBlock(group, type, op, step, count), recv, type, at, count);
  }
}

/** Announces the step that carries this rank's part of the vector from `at` on. */
function contribute(group: Group, send: CommArray, type: ArrayType, at: number): number {
  const size = type.bytesPerElement;
  const count = Math.min(SLOT_BYTES / size, send.length - at);
  const step = group.next();
  copyElements(send, at, group.view(type), group.layout.slot(group.rank, step) / size, count);
  group.announce(step);
  return step;
}

/** Where block `b` of a part of `count` elements begins; blocks begin at multiples of 64 bytes. */
function blockStart(group: Group, type: ArrayType, b: number, count: number): number {
  const grain = 64 / type.bytesPerElement;
  const blocks = Math.ceil(count / grain);
  return Math.min(count, Math.floor((blocks * b) / group.size) * grain);
}

/** Folds this rank's block of a contributed part and announces it; returns the step. */
function foldMyBlock(
  group: Group,
  type: ArrayType,
  op: ReduceOp,
  contributed: number,
  count: number,
): number {
  const from = blockStart(group, type, group.rank, count);
  const to = blockStart(group, type, group.rank + 1, count);
  const step = group.next();
  const out = group.layout.slot(group.rank, step) + from * type.bytesPerElement;
  foldInPlace(group, type, op, contributed, from, to - from, out);
  group.announce(step);
  return step;
}

/** Copies everybody's block of a part into place. */
function collect(
  group: Group,
  step: number,
  recv: CommArray,
  type: ArrayType,
  at: number,
  count: number,
): void {
  const view = group.view(type);
  for (let i = 0; i < group.size; i++) {
    const r = (group.rank + i) % group.size;
    const from = blockStart(group, type, r, count);
    const to = blockStart(group, type, r + 1, count);
    if (r !== group.rank) group.awaitRank(r, step);
    const slot = group.layout.slot(r, step) / type.bytesPerElement;
    if (to > from) copyElements(view, slot + from, recv, at + from, to - from);
  }
}

/** Folds elements `from …` of all ranks' slots of a step, in rank order, to the address `out`. */
function foldInPlace(
  group: Group,
  type: ArrayType,
  op: ReduceOp,
  step: number,
  from: number,
  n: number,
  out: number,
): void {
  const kernel = group.kernel(type, op);
  const offset = from * type.bytesPerElement;
  const { layout } = group;
  kernel(out, layout.slot(0, step) + offset, layout.slot(1, step) + offset, n);
  for (let r = 2; r < group.size; r++) kernel(out, out, layout.slot(r, step) + offset, n);
}
