import type { Group } from "./group.js";

/** One step without a payload: everybody announces it and waits for everybody. */
export function barrier(group: Group, call: number, length: number): void {
  group.open(call, length);
  group.meetAll();
}
