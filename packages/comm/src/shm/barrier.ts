import type { Group } from "./group.js";

/** One step without a payload: every rank announces it and waits for all others. */
export function barrier(group: Group, call: number, length: number): void {
  group.open(call, length);
  group.meetAll();
}
