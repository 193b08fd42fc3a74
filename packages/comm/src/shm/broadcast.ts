/**
 * Broadcast: the root announces steps that carry the data; the others announce empty steps and
 * read.
 *
 * A long array is read directly from the root's memory where that is allowed. Elsewhere it is divided
 * into parts that fit into a slot, and the root writes several parts ahead of the slowest reader.
 *
 * All ranks meet in the first call of a kind, so a mismatch fails on every rank at once. When a
 * rank repeats its previous call, it waits only for the root, and the root waits only for free
 * slots or, after a direct read, for the readers. A mismatch then shows at the next meeting,
 * because every step carries the history of calls.
 */
import { type ArrayType, type CommArray, copyElements } from "../arrays.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { announceAddress, readAddress } from "./direct.js";
import type { Group } from "./group.js";
import { INLINE_WORDS, SLOT_BYTES } from "./layout.js";
import { copyWords } from "./word-view.js";

/** Below this size, two copies through the slots are as fast as one through the kernel. */
const DIRECT_MIN_BYTES = 131_072;

export function broadcast(group: Group, buf: CommArray, type: ArrayType, root: number): void {
  const { length } = buf;
  const call = encodeCall(CALLS.broadcast, type.code, 0, root);
  const repeated = group.open(call, length);
  const words = (length * type.bytesPerElement) >> 2;
  if (words <= INLINE_WORDS && type.bytesPerElement >= 4) {
    broadcastInline(group, buf, type, root, repeated);
    return;
  }
  if (buf.byteLength >= Math.max(group.direct.minBytes, DIRECT_MIN_BYTES)) {
    broadcastDirectly(group, buf, root, repeated);
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

/**
 * The root announces where its array is. The others read it there and announce that they have
 * finished. Only then may the root change it.
 */
function broadcastDirectly(group: Group, buf: CommArray, root: number, repeated: boolean): void {
  const { direct, rank } = group;
  const step = announceAddress(group, buf);
  if (!repeated) group.meet(step);
  if (rank !== root) {
    group.awaitRank(root, step);
    const theirs = readAddress(group, root, step);
    direct.read(root, theirs, direct.addressOf(buf), buf.byteLength, group.call);
  }
  const done = group.next();
  group.announce(done);
  if (rank === root) group.meet(done);
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
