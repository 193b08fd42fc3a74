import { constants } from "node:os";
import type { FileLocks } from "@cobre/io";

const LOCK_EX = 2;
const LOCK_NB = 4;

/**
 * Locks by `flock(2)`. The kernel drops them when the process ends, and on NFS they hold for all machines. `undefined` where there is no such
 * call: on Windows, or where koffi, the foreign-function library, cannot be loaded.
 */
export async function loadFileLocks(): Promise<FileLocks | undefined> {
  if (process.platform === "win32") return undefined;
  let koffi: typeof import("koffi").default;
  let flock: (file: number, operation: number) => number;
  try {
    koffi = (await import("koffi")).default;
    flock = koffi.load(null).func("int flock(int fd, int operation)");
  } catch {
    return undefined;
  }
  return {
    tryLock(file) {
      if (flock(file, LOCK_EX | LOCK_NB) === 0) return "held";
      return koffi.errno() === constants.errno.EWOULDBLOCK ? "taken" : "unsupported";
    },
  };
}
