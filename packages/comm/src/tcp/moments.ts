import { setImmediate as nextTurn } from "node:timers/promises";
import type { PollSet, Sockets } from "../ffi/sockets.js";

/** Short enough for the event loop of a program that is starting, long enough to be no burden. */
const MOMENT_MS = 5;

/** Waits until a socket of the set is ready, at most a moment, then lets the event loop run. */
export async function aMoment(sockets: Sockets, set: PollSet): Promise<void> {
  sockets.wait(set, MOMENT_MS);
  await nextTurn();
}
