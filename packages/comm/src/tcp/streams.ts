/**
 * Long messages. They flow in frames of bounded length over several links at a time; what has arrived
 * on one is passed on over another while more still comes, straight from and into the callers' memory.
 */
import type { Group } from "./group.js";
import type { InPort } from "./incoming.js";
import type { OutPort } from "./outgoing.js";

/** What moves in one collective. */
export interface Traffic {
  readonly ins: readonly InPort[];
  /** Each begins with the fingerprint; one without streams consists of it. */
  readonly outs: readonly OutPort[];
  /** Works on what has come in; returns whether there was something to do. */
  readonly work?: () => boolean;
}

/** Moves everything. */
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
