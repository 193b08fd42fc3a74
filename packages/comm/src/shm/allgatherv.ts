/**
 * Allgatherv: every step carries a part of every rank's piece, as long as it has any left. The first
 * step is a meeting; after it a rank waits only for those whose pieces go on.
 */
import type { ArrayType, CommArray } from "../arrays.js";
import { announceAddress, readAddress } from "./direct.js";
import { CALLS, encodeCall, stir } from "./fingerprint.js";
import { copyElements, type Group } from "./group.js";
import { INLINE_WORDS, SLOT_BYTES } from "./layout.js";
import { copyWords } from "./word-view.js";

/** From here on, one copy by way of the kernel is faster than two by way of the slots. */
const DIRECT_BYTES = 32_768;

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
  group.open(encodeCall(CALLS.allgatherv, type.code, 0, 0), total, hash);
  const size = type.bytesPerElement;
  if (longest * size <= INLINE_WORDS * 4 && size >= 4) {
    gatherInline(group, send, recv, type, counts, displs);
    return;
  }
  if (longest * size >= DIRECT_BYTES && group.direct.isAllowed) {
    gatherDirectly(group, send, recv, type, counts, displs);
    return;
  }
  const part = SLOT_BYTES / size;
  const view = group.view(type);
  let at = 0;
  do {
    const step = group.nextWithSlot();
    for (let i = 0; i < group.size; i++) {
      const r = (group.rank + i) % group.size;
      const count = Math.min(part, (counts[r] as number) - at);
      const place = (displs[r] as number) + at;
      const from = group.layout.slot(r, step) / size;
      if (i === 0) {
        // The others wait for this; the copy to this rank's own place can wait until they have it.
        if (count > 0) copyElements(send, at, view, from, count);
        group.announce(step);
        if (count > 0) copyElements(send, at, recv, place, count);
        if (at === 0) group.meet(step);
      } else if (count > 0) {
        group.awaitRank(r, step);
        copyElements(view, from, recv, place, count);
      }
    }
    at += part;
  } while (at < longest);
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
 */
function gatherDirectly(
  group: Group,
  send: CommArray,
  recv: CommArray,
  type: ArrayType,
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
): void {
  const { direct, rank, size } = group;
  const step = announceAddress(group, send);
  copyElements(send, 0, recv, displs[rank] as number, send.length);
  const mine = direct.addressOf(recv);
  group.meet(step);
  for (let i = 1; i < size; i++) {
    const r = (rank + i) % size;
    const bytes = (counts[r] as number) * type.bytesPerElement;
    const place = mine + (displs[r] as number) * type.bytesPerElement;
    if (bytes > 0) direct.read(r, readAddress(group, r, step), place, bytes, group.call);
  }
  group.meetAll();
}
