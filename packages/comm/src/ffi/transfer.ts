/** How a transfer went that never waits. */
import type { Koffi } from "./koffi.js";

/** What a transfer that moved nothing returns: nothing can be moved now, or never again. */
export const WOULD_BLOCK = 0;
export const ENDED = -1;

const EINTR = 4;
const EAGAIN = 11;

/** Whether the call that has just failed may succeed later. */
export function mayComeLater(koffi: Koffi): boolean {
  const errno = koffi.errno();
  return errno === EAGAIN || errno === EINTR;
}
