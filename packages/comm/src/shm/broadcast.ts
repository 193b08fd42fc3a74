/**
 * Broadcast: the root announces steps that carry the data, the others announce empty ones and read.
 *
 * A long array is cut into parts of a slot each; the root writes several parts ahead of the
 * slowest reader. The first of a kind of call is a meeting, so that a mismatch fails on every rank at
 * once. When a rank repeats the call it made before, it waits for nobody but the root: a mismatch
 * then shows at the next meeting, because the history of calls travels with every step.
 */
import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall } from "./fingerprint.js";
import { copyElements, type Group } from "./group.js";
import { INLINE_BYTES, SLOT_BYTES } from "./layout.js";

export function broadcast(group: Group, buf: CommArray, type: ArrayType, root: number): void {
  const { length } = buf;
  const call = encodeCall(CALLS.broadcast, type.code, 0, root);
  const repeated = group.open(call, length);
  const size = type.bytesPerElement;
  const inline = length * size <= INLINE_BYTES;
  const part = SLOT_BYTES / size;
  const view = group.view(type);
  let at = 0;
  do {
    const count = Math.min(part, length - at);
    const step = group.next();
    const from = (inline ? group.inline(root, step) : group.layout.slot(root, step)) / size;
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
