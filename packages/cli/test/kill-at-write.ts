/**
 * Loaded into a process before its program: kills it, with SIGKILL, at the write or rename that has the number in
 * `COBRE_TEST_KILL_AT`, counted from 1. A write is killed when half of its bytes are on the disk. Without the number the process lives
 * and tells in `COBRE_TEST_COUNT_FILE` how many there were.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { COBRE_TEST_KILL_AT: at, COBRE_TEST_COUNT_FILE: countFile } = process.env;
const { renameSync, writeSync, writeFileSync } = fs;
let count = 0;

function isTheOne(): boolean {
  count++;
  return String(count) === at;
}

/** The signal ends the process before this returns. */
function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

fs.renameSync = (from, to) => {
  if (isTheOne()) die();
  renameSync(from, to);
};
fs.writeSync = ((file: number, bytes: Uint8Array, offset: number) => {
  if (!isTheOne()) return writeSync(file, bytes, offset);
  writeSync(file, bytes, offset, Math.floor((bytes.length - offset) / 2));
  return die();
}) as typeof fs.writeSync;
syncBuiltinESMExports();

if (countFile !== undefined) {
  process.on("exit", () => writeFileSync(countFile, String(count)));
}
