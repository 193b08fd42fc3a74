/** Loaded into a process before its program: a file whose path contains `COBRE_TEST_FAIL_FILE` cannot be opened. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { COBRE_TEST_FAIL_FILE: part } = process.env;
const { openSync } = fs;

fs.openSync = ((path, flags, mode) => {
  if (part !== undefined && String(path).includes(part)) {
    throw Object.assign(new Error(`EIO: i/o error, open '${String(path)}'`), { code: "EIO" });
  }
  return openSync(path, flags, mode);
}) as typeof fs.openSync;
syncBuiltinESMExports();
