import { writeSync } from "node:fs";

/**
 * Writes a line to stderr synchronously: the event loop does not run while a rank waits. A warning
 * that cannot be written must not end a collective.
 */
export function warn(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // The reader of stderr is gone, or slow.
  }
}
