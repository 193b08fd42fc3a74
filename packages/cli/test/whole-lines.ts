import { existsSync, readFileSync } from "node:fs";

/** The lines of a file that a run still writes: none as long as there is no file, and none of which only a part is there. */
export function wholeLines(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n").slice(0, -1);
}
