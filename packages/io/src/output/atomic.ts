import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { OutputError } from "./output-error.js";

/** What files and folders are called that are not finished. */
export const PARTIAL = ".partial";

/**
 * Writes a file so that there is never half of it: under another name, to the disk, then renamed. Who is killed meanwhile leaves the
 * file as it was before.
 *
 * @param beforeRenaming called when nothing can fail any more for want of space
 * @throws {@link OutputError} that names the file and the reason, as a full disk
 */
export function writeAtomically(
  path: string,
  content: string | Uint8Array,
  beforeRenaming?: () => void,
): void {
  const partial = `${path}.${process.pid}${PARTIAL}`;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let isThere = false;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(partial, "w");
    isThere = true;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
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

/** Removes what killed processes left unfinished in a directory and those below it. */
export function removePartials(directory: string): void {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.name.endsWith(PARTIAL)) rmSync(path, { recursive: true, force: true });
    else if (entry.isDirectory()) removePartials(path);
  }
}
