/**
 * Long messages. They travel in frames of bounded length, over several links at once, straight from and
 * into the caller's memory. What has arrived on one link is passed on over another while more arrives.
 */
import type { Group } from "./group.js";
import type { InPort } from "./incoming.js";
import type { OutPort } from "./outgoing.js";

/** Everything that moves in one collective. */
export interface Traffic {
  readonly ins: readonly InPort[];
  /** Each begins with the fingerprint; one without streams sends nothing else. */
  readonly outs: readonly OutPort[];
  /** Works on what has arrived; returns whether there was something to do. */
  readonly work?: () => boolean;
}

/** Sends and receives until everything has moved. */
export function run(group: Group, { ins, outs, work }: Traffic): void {
  const { waiting } = group;
  for (const { link } of ins) link.isExpected = true;
  for (;;) {
    let moved = false;
    let isDone = true;
    for (const port of outs) {
      if (port.isDone) continue;
      if (port.proceed(group)) moved = true;
      if (!port.isDone) isDone = false;
    }
    for (const port of ins) {
      if (port.isDone) continue;
      if (port.proceed(group)) moved = true;
      if (port.isDone) port.link.isExpected = false;
      else isDone = false;
    }
    if (work?.() === true) {
      moved = true;
      isDone = false;
    }
    if (isDone) return;
    if (moved) waiting.moved();
    else waiting.idle(() => awaited(ins, outs));
  }
}

function awaited(ins: readonly InPort[], outs: readonly OutPort[]): number[] {
  const links = [...ins, ...outs].filter((port) => !port.isDone).map((port) => port.link.rank);
  return [...new Set(links)].sort((a, b) => a - b);
}
