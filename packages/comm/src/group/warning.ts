import { writeSync } from "node:fs";

/**
 * Writes a line to stderr, at once: the event loop does not run while a rank waits. A warning that nobody can read is no reason
 * to leave a collective.
 */
export function warn(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // Whoever read it is gone, or slow.
  }
}
