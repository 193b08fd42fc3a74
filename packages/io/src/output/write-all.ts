import { writeSync } from "node:fs";

/** Writes all bytes to an open file; a single write may take only some of them. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
