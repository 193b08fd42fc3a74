// A reporter of `node --test` that writes only what failed, a block each. scripts/test.mjs repeats it at the very end, where it is seen:
// thousands of lines lie between a failure and the end of the run.
import { relative } from "node:path";
import { inspect } from "node:util";
import { ROOT } from "./prepare.mjs";

/** The longest report of a single failure; a difference of two large arrays says nothing more beyond it. */
const LONGEST = 4_000;

/** The failed tests among the events, without the suites and files that failed only because of them. */
export default async function* failures(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail") continue;
    const { error } = data.details;
    if (error.failureType === "subtestsFailed" || data.todo !== undefined) continue;
    const place =
      data.file === undefined ? "" : ` (${relative(ROOT, data.file)}:${data.line ?? 0})`;
    const reason = inspect(error.cause ?? error).slice(0, LONGEST);
    yield `${data.name}${place}\n${reason}\n\n`;
  }
}
