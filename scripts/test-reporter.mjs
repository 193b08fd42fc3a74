// A reporter of Node's test runner that writes one line of JSON per test. scripts/test.mjs repeats at the very end what failed and what was
// skipped: thousands of lines lie between a failure and the end of the run.
import { relative } from "node:path";
import { inspect } from "node:util";
import { ROOT } from "./prepare.mjs";

/** The longest report of a single failure; a difference of two large arrays says nothing more beyond it. */
const LONGEST = 4_000;

/** What became of each test, without suites; the last line says that all tests have ended. */
export default async function* outcomes(events) {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    yield `${JSON.stringify(outcomeOf(type, data))}\n`;
  }
  yield `${JSON.stringify({ isComplete: true })}\n`;
}

function outcomeOf(type, { name, details, skip, todo, file, line }) {
  const { error, type: kind } = details;
  if (type === "test:fail" && error?.failureType !== "subtestsFailed" && todo === undefined) {
    const place = file === undefined ? "" : ` (${relative(ROOT, file)}:${line ?? 0})`;
    const reason = inspect(error?.cause ?? error).slice(0, LONGEST);
    return { failed: `${name}${place}\n${reason}` };
  }
  if (skip !== undefined && skip !== false) {
    return { skipped: name, reason: typeof skip === "string" ? skip : "no reason is given" };
  }
  return kind === "suite" ? {} : { passed: name };
}
