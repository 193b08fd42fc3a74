/**
 * The nameless file behind a region. The leader makes it; the others open it through the leader's
 * descriptor in /proc. As it never has a name, no kill at any moment can leave it behind.
 */
import { closeSync, constants, openSync } from "node:fs";
import type { Posix } from "../ffi/posix.js";
import { reservePages } from "./segment.js";

/** Node.js does not name this flag: a file without a name in the given directory. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** Makes a file of `bytes` zero bytes, all reserved; throws `AllocationFailed` if there is no room. */
export function createRegionFile(posix: Posix, bytes: number): number {
  const fd = openSync("/dev/shm", O_TMPFILE | constants.O_RDWR, 0o600);
  try {
    if (bytes > 0) reservePages(posix, fd, bytes);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens the file that the process `pid` has open as `fd`. */
export function openRegionFile(pid: number, fd: number): number {
  return openSync(`/proc/${pid}/fd/${fd}`, constants.O_RDWR);
}
