/**
 * Allgatherv: every step carries a part of every rank's piece, as long as it has any left. The first
 * step is a meeting; after it a rank waits only for those whose pieces go on.
 */
import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall, stir } from "./fingerprint.js";
import { copyElements, type Group } from "./group.js";
import { INLINE_BYTES, SLOT_BYTES } from "./layout.js";

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
  const inline = longest * size <= INLINE_BYTES;
  const part = SLOT_BYTES / size;
  const view = group.view(type);
  let at = 0;
  do {
    const step = group.next();
    for (let i = 0; i < group.size; i++) {
      const r = (group.rank + i) % group.size;
      const count = Math.min(part, (counts[r] as number) - at);
      const place = (displs[r] as number) + at;
      const from = (inline ? group.inline(r, step) : group.layout.slot(r, step)) / size;
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
