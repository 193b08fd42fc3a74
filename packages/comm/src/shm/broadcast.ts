/**
 * Broadcast: the root announces steps that carry the data, the others announce empty ones and read.
 *
 * A long array is cut into parts of a slot each; the root writes several parts ahead of the slowest
 * reader. (Reading the root's memory directly was tried, and is not faster.)
 *
 * The first of a kind of call is a meeting, so that a mismatch fails on every rank at once. When a rank
 * repeats the call it made before, it waits for nobody but the root: a mismatch then shows at the next
 * meeting, because the history of calls travels with every step.
 */
import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { copyElements, type Group } from "./group.js";
import { INLINE_WORDS, SLOT_BYTES } from "./layout.js";
import { copyWords } from "./word-view.js";

export function broadcast(group: Group, buf: CommArray, type: ArrayType, root: number): void {
  const { length } = buf;
  const call = encodeCall(CALLS.broadcast, type.code, 0, root);
  const repeated = group.open(call, length);
  const words = (length * type.bytesPerElement) >> 2;
  if (words <= INLINE_WORDS && type.bytesPerElement >= 4) {
    broadcastInline(group, buf, type, root, repeated);
    return;
  }
  const part = SLOT_BYTES / type.bytesPerElement;
  const view = group.view(type);
  let at = 0;
  do {
    const count = Math.min(part, length - at);
    const step = group.nextWithSlot();
    const from = group.layout.slot(root, step) / type.bytesPerElement;
    if (group.rank === root) copyElements(buf, at, view, from, count);
    group.announce(step);
    if (!repeated && at === 0) group.meet(step);
    if (group.rank !== root) {
      group.awaitRank(root, step);
      copyElements(view, from, buf, at, count);
    }
    at += part;
  } while (at < length);
}

/** A few words travel in the line itself. */
function broadcastInline(
  group: Group,
  buf: CommArray,
  type: ArrayType,
  root: number,
  repeated: boolean,
): void {
  const words = group.sendWords.of(buf, type);
  const step = group.next();
  const payload = group.inline(root, step);
  if (group.rank === root) copyWords(words, 0, group.words, payload, words.length);
  group.announce(step);
  if (!repeated) group.meet(step);
  if (group.rank !== root) {
    group.awaitRank(root, step);
    copyWords(group.words, payload, words, 0, words.length);
  }
}
