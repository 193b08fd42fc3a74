import { copyElements } from "../arrays.js";
import type { Pieces } from "./allgatherv.js";
import type { Group } from "./group.js";
import { STAGED_BYTES } from "./staging.js";

/**
 * A part is written in pieces of this many bytes. They are too short to be copied around the
 * caches, so the other ranks find them there.
 */
const WRITTEN_BYTES = 1_048_576;

/**
 * Whether all ranks have memory for long parts. The first time this is asked, ranks meet to find
 * out, so all of them must be in this call.
 */
export function canStage(group: Group, call: number, total: number, hash: number): boolean {
  const { staging } = group;
  if (staging.isDecided) return staging.hasRoom;
  group.meetAll();
  staging.open();
  group.open(call, total, hash);
  return staging.hasRoom;
}

/**
 * Each rank writes a part into its memory, then reads that part of every other piece. A rank that
 * announces a part has read the part before it. So once all ranks have announced a part, the memory
 * of the part before it may be overwritten.
 */
export function gatherStaged(group: Group, pieces: Pieces): void {
  const { send, recv, type, counts, displs, longest } = pieces;
  const { rank, size, staging } = group;
  const room = staging.view(type);
  const part = STAGED_BYTES / type.bytesPerElement;
  const written = WRITTEN_BYTES / type.bytesPerElement;
  for (let i = 0, at = 0; at < longest; i++, at += part) {
    const step = group.next();
    const own = Math.min(part, send.length - at);
    const place = staging.at(rank, i, type);
    for (let from = 0; from < own; from += written) {
      copyElements(send, at + from, room, place + from, Math.min(written, own - from));
    }
    group.announce(step);
    if (own > 0) copyElements(send, at, recv, (displs[rank] as number) + at, own);
    for (let k = 1; k < size; k++) {
      const r = (rank + k) % size;
      group.awaitRank(r, step);
      const count = Math.min(part, (counts[r] as number) - at);
      if (count <= 0) continue;
      copyElements(room, staging.at(r, i, type), recv, (displs[r] as number) + at, count);
    }
  }
  group.meetAll();
}
