import type { Pieces } from "./allgatherv.js";
import { copyElements, type Group } from "./group.js";
import { STAGED_BYTES } from "./staging.js";

/** So much is written into the room at a time: it shall stay in a cache, where the others find it. */
const WRITTEN_BYTES = 1_048_576;

/** Whether all have room for long parts. When that is first asked for, ranks meet over it: all of them must be in this call. */
export function canStage(group: Group, call: number, total: number, hash: number): boolean {
  const { staging } = group;
  if (staging.isDecided) return staging.hasRoom;
  group.meetAll();
  staging.open();
  group.open(call, total, hash);
  return staging.hasRoom;
}

/**
 * Everybody writes a part into its room, then reads that part of the others'. A rank that announces a part has read the one before, so
 * who has seen all announce it may write the next one into that one's room.
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
