/**
 * Allgatherv, in four ways by the length of the longest piece.
 *
 * - **inline**: pieces travel in the lines. One step.
 * - **in parts**: every step carries a part of every rank's piece, as long as that lasts. The first
 *   is a meeting; after it a rank waits only for those whose pieces go on.
 * - **directly**: where ranks may read each other's memory. Two meetings.
 * - **staged**: very long pieces, in long parts through room of their own. One meeting more than parts.
 */
import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall, stir } from "../group/fingerprint.js";
import { announceAddress, readAddress } from "./direct.js";
import { copyElements, type Group, READING_LAG } from "./group.js";
import { INLINE_WORDS, SLOT_BYTES } from "./layout.js";
import { canStage, gatherStaged } from "./staged-allgatherv.js";
import { STAGED_MIN_BYTES } from "./staging.js";
import { copyWords } from "./word-view.js";

/** How much of a piece is read at a time. */
const DIRECT_STRIDE_BYTES = 262_144;

/** What a call is about. */
export interface Pieces {
  readonly send: CommArray;
  readonly recv: CommArray;
  readonly type: ArrayType;
  readonly counts: ArrayLike<number>;
  readonly displs: ArrayLike<number>;
  /** How many elements the longest piece has. */
  readonly longest: number;
}

export function allgatherv(
  group: Group,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
): void {
  let longest = 0;
  let total = 0;
  let hash = 0;
  for (let r = 0; r < group.size; r++) {
    const count = counts[r] as number;
    if (count > longest) longest = count;
    total += count;
    hash = stir(hash, count);
  }
  const call = encodeCall(CALLS.allgatherv, type.code, 0, 0);
  group.open(call, total, hash);
  const size = type.bytesPerElement;
  if (longest * size <= INLINE_WORDS * 4 && size >= 4) {
    gatherInline(group, send, recv, type, counts, displs);
    return;
  }
  const pieces: Pieces = { send, recv, type, counts, displs, longest };
  if (longest * size >= STAGED_MIN_BYTES && canStage(group, call, total, hash)) {
    gatherStaged(group, pieces);
    return;
  }
  if (longest * size >= group.direct.minBytes) {
    gatherDirectly(group, pieces);
    return;
  }
  gatherInParts(group, pieces);
}

/** Each rank writes its parts `READING_LAG` steps ahead of the ones it reads. */
function gatherInParts(group: Group, pieces: Pieces): void {
  const { send, recv, type, displs, longest } = pieces;
  const part = SLOT_BYTES / type.bytesPerElement;
  const parts = Math.max(1, Math.ceil(longest / part));
  const place = displs[group.rank] as number;
  const steps = new Int32Array(READING_LAG + 1);
  for (let i = 0; i < parts + READING_LAG; i++) {
    if (i < parts) {
      const at = i * part;
      const count = Math.min(part, send.length - at);
      steps[i & READING_LAG] = writePart(group, send, type, at, count);
      // The others have what they wait for; now this rank's own place.
      if (count > 0) copyElements(send, at, recv, place + at, count);
    }
    const read = i - READING_LAG;
    if (read < 0) continue;
    const step = steps[read & READING_LAG] as number;
    // Nobody returns before all have contributed, if only nothing.
    if (read === 0) group.meet(step);
    readParts(group, pieces, step, read * part);
  }
}

/** Announces a step that carries the next part of this rank's piece, or nothing; returns the step. */
function writePart(
  group: Group,
  send: CommArray,
  type: ArrayType,
  at: number,
  count: number,
): number {
  const step = group.nextWithSlot();
  const slot = group.layout.slot(group.rank, step) / type.bytesPerElement;
  if (count > 0) copyElements(send, at, group.view(type), slot, count);
  group.announce(step);
  return step;
}

/** Copies a part of each of the others' pieces, as far as they have one. */
function readParts(group: Group, pieces: Pieces, step: number, at: number): void {
  const { recv, type, counts, displs } = pieces;
  const view = group.view(type);
  const part = SLOT_BYTES / type.bytesPerElement;
  for (let i = 1; i < group.size; i++) {
    const r = (group.rank + i) % group.size;
    const count = Math.min(part, (counts[r] as number) - at);
    if (count <= 0) continue;
    group.awaitRank(r, step);
    const slot = group.layout.slot(r, step) / type.bytesPerElement;
    copyElements(view, slot, recv, (displs[r] as number) + at, count);
  }
}

/** Pieces of a few words travel in the lines themselves. */
function gatherInline(
  group: Group,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
): void {
  const wordsPerElement = type.bytesPerElement >> 2;
  const mine = group.sendWords.of(send, type);
  const all = group.recvWords.of(recv, type);
  const step = group.next();
  copyWords(mine, 0, group.words, group.inline(group.rank, step), mine.length);
  group.announce(step);
  group.meet(step);
  for (let r = 0; r < group.size; r++) {
    const count = (counts[r] as number) * wordsPerElement;
    const place = (displs[r] as number) * wordsPerElement;
    copyWords(group.words, group.inline(r, step), all, place, count);
  }
}

/**
 * Every rank announces where its piece is, reads the others' pieces there, and announces that it has:
 * nobody returns, and so nobody changes its piece, before all have read it.
 *
 * All go through the pieces at the same pace: what a rank reads of another's piece, the other has just
 * copied itself, and it is still in a cache.
 */
function gatherDirectly(group: Group, pieces: Pieces): void {
  const { send, recv, type, counts, displs, longest } = pieces;
  const { direct, rank, size } = group;
  const step = announceAddress(group, send);
  const mine = direct.addressOf(recv);
  const stride = DIRECT_STRIDE_BYTES / type.bytesPerElement;
  for (let at = 0; at < longest; at += stride) {
    const own = Math.min(stride, send.length - at);
    if (own > 0) copyElements(send, at, recv, (displs[rank] as number) + at, own);
    if (at === 0) group.meet(step);
    for (let i = 1; i < size; i++) {
      const r = (rank + i) % size;
      const bytes = Math.min(stride, (counts[r] as number) - at) * type.bytesPerElement;
      if (bytes <= 0) continue;
      const offset = at * type.bytesPerElement;
      const place = mine + (displs[r] as number) * type.bytesPerElement + offset;
      direct.read(r, readAddress(group, r, step) + offset, place, bytes, group.call);
    }
  }
  group.meetAll();
}
