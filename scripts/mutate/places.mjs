/** Where a change is in the source, and how people read it. */
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";

/** As many characters of the line are shown on both sides of a change. */
const CONTEXT = 40;

/** The changes of a built file with `{ line, before, after }`, the line in the source. Code that the compiler added has no source and is left out. */
export function tellPlaces(built, text, changes) {
  const map = existsSync(`${built}.map`)
    ? new SourceMap(JSON.parse(readFileSync(`${built}.map`, "utf8")))
    : undefined;
  return changes.flatMap((change) => {
    const before = text.slice(0, change.start);
    const lineStart = before.lastIndexOf("\n") + 1;
    const builtLine = before.split("\n").length - 1;
    const entry = map?.findEntry(builtLine, change.start - lineStart);
    if (map !== undefined && entry.originalLine === undefined) return [];
    const lineEnd = text.indexOf("\n", change.end);
    const head = text.slice(lineStart, change.start).trimStart();
    const tail = text.slice(change.end, lineEnd < 0 ? undefined : lineEnd).trimEnd();
    const whole = (middle) =>
      oneLine(
        (head.length > CONTEXT ? `…${head.slice(-CONTEXT)}` : head) +
          middle +
          (tail.length > CONTEXT ? `${tail.slice(0, CONTEXT)}…` : tail),
      );
    const place = {
      line: (entry?.originalLine ?? builtLine) + 1,
      before: whole(text.slice(change.start, change.end)),
      after: whole(change.replacement),
    };
    return [{ ...change, ...place }];
  });
}

function oneLine(text) {
  return text.replaceAll(/\s+/g, " ");
}
