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

const SUFFIX = ".partial";

/**
 * Writes a file so that there is never half of it: under another name, to the disk, then renamed. Who is killed meanwhile leaves the
 * file as it was before.
 *
 * @throws {@link OutputError} that names the file and the reason, as a full disk
 */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  const partial = `${path}.${process.pid}${SUFFIX}`;
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
    renameSync(partial, path);
  } catch (cause) {
    if (isThere) rmSync(partial, { force: true });
    throw OutputError.of(path, cause);
  }
}

/** Removes what killed processes left half written in a directory and those below it. */
export function removePartials(directory: string): void {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(SUFFIX)) continue;
    rmSync(join(entry.parentPath ?? entry.path, entry.name), { force: true });
  }
}
