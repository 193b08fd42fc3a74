/** The results of nonblocking transfers. */
import type { Koffi } from "./koffi.js";

/** What a transfer returns if it moved nothing: nothing can be moved now, or ever again. */
export const WOULD_BLOCK = 0;
export const ENDED = -1;

const EINTR = 4;
const EAGAIN = 11;

/** Whether the call that has just failed may succeed later. */
export function mayComeLater(koffi: Koffi): boolean {
  const errno = koffi.errno();
  return errno === EAGAIN || errno === EINTR;
}
