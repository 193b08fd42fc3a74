import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { OutputError } from "./output-error.js";
import { writeAll } from "./write-all.js";

/** The ending of unfinished files and folders. */
export const PARTIAL = ".partial";

/**
 * A name for this process that no other has: its id, and a random number, because ids repeat on other machines and in containers.
 */
export function uniqueName(): string {
  return `${process.pid}-${randomBytes(4).toString("hex")}`;
}

/**
 * Writes a file atomically: under another name, flushed to the disk, then renamed. A process that is killed meanwhile leaves the
 * previous file.
 *
 * @param beforeRenaming called when all bytes are on the disk, so that a full disk can no longer make the write fail
 * @throws {@link OutputError} that names the file and the reason, such as a full disk
 */
export function writeAtomically(
  path: string,
  content: string | Uint8Array,
  beforeRenaming?: () => void,
): void {
  const partial = `${path}.${uniqueName()}${PARTIAL}`;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let isThere = false;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(partial, "wx"); // never a file that somebody else writes
    isThere = true;
    try {
      writeAll(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    beforeRenaming?.();
    renameSync(partial, path);
  } catch (cause) {
    if (isThere) rmSync(partial, { force: true });
    throw OutputError.of(path, cause);
  }
}

/**
 * Waits until the disk has the entries of a folder and of the folders in it. The bytes of a file are not enough: without its entry it
 * would be lost.
 */
export function syncFolders(path: string, isDeep = true): void {
  if (process.platform === "win32") return; // folders cannot be opened there
  if (isDeep) {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory()) syncFolders(join(path, entry.name));
    }
  }
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
