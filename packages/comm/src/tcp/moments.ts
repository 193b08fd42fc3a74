import { setImmediate as nextTurn } from "node:timers/promises";
import type { PollSet, Sockets } from "../ffi/sockets.js";

/** Short enough to keep the event loop going, long enough not to waste the processor. */
const MOMENT_MS = 5;

/** Waits until a socket of the set is ready, but at most a moment. Then lets the event loop run. */
export async function aMoment(sockets: Sockets, set: PollSet): Promise<void> {
  sockets.wait(set, MOMENT_MS);
  await nextTurn();
}
