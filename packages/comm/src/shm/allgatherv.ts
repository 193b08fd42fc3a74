/**
 * Allgatherv takes one of four ways. The length of the longest piece decides which.
 *
 * - **inline**: pieces travel in the lines. One step.
 * - **in parts**: each step carries one part of every piece that is long enough. All ranks meet in
 *   the first step; after it, a rank waits only for ranks whose pieces continue.
 * - **directly**: ranks read each other's memory, where that is allowed. Two meetings.
 * - **staged**: very long pieces travel in long parts through memory set aside for them. One
 *   meeting more than in parts.
 */
import { type ArrayType, type CommArray, copyElements } from "../arrays.js";
import { CALLS, encodeCall, hashCounts } from "../group/fingerprint.js";
import { announceAddress, readAddress } from "./direct.js";
import { type Group, READING_LAG } from "./group.js";
import { INLINE_WORDS, SLOT_BYTES } from "./layout.js";
import { canStage, gatherStaged } from "./staged-allgatherv.js";
import { STAGED_MIN_BYTES } from "./staging.js";
import { copyWords } from "./word-view.js";

/** How many bytes of a piece are read at a time. */
const DIRECT_STRIDE_BYTES = 262_144;

/** The arguments of one call. */
export interface Pieces {
  readonly send: CommArray;
  readonly recv: CommArray;
  readonly type: ArrayType;
  readonly counts: ArrayLike<number>;
  readonly displs: ArrayLike<number>;
  /** The length of the longest piece, in elements. */
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
  for (let r = 0; r < group.size; r++) {
    const count = counts[r] as number;
    if (count > longest) longest = count;
    total += count;
  }
  const hash = hashCounts(counts);
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
      // The other ranks have what they wait for. Now fill this rank's own place.
      if (count > 0) copyElements(send, at, recv, place + at, count);
    }
    const read = i - READING_LAG;
    if (read < 0) continue;
    const step = steps[read & READING_LAG] as number;
    // No rank returns before all have contributed, even if one contributes nothing.
    if (read === 0) group.meet(step);
    readParts(group, pieces, step, read * part);
  }
}

/** Announces a step with the next part of this rank's piece, or with nothing. Returns the step. */
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

/** Copies the same part of every other rank's piece. Skips pieces that are shorter. */
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
 * Every rank announces where its piece is, reads the other pieces there, and announces that it has
 * finished. No rank returns, and so none changes its piece, before all have read it.
 *
 * All ranks go through the pieces at the same pace. What a rank reads has just been copied by its
 * owner, so it is still in a cache.
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
