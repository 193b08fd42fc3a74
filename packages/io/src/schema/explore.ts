import { type Dialect, IssueCollector } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { type Answer, Answers } from "./answers.js";
import { RecordingReader } from "./recording-reader.js";
import type { Reading, Visit } from "./shape.js";

/** Reads a file, and reports what is wrong with it. */
export type FileReader = (root: ObjectReader, issues: IssueCollector) => unknown;

type Decided = ReadonlyMap<string, Answer>;

/**
 * Lets a reader read until every alternative has been tried in a file that is otherwise accepted. Returns the readings without errors: an
 * answer that leads to an error is one that the reader refuses.
 */
export function explore(read: FileReader, dialect: Dialect = "0.5"): readonly Reading[] {
  const usual = acceptedAnswers(read, dialect);
  const accepted: Reading[] = [];
  const tried = new Set<string>();
  const waiting: Decided[] = [usual];
  for (let decided = waiting.shift(); decided !== undefined; decided = waiting.shift()) {
    const { errors, answers, visits } = readOnce(read, dialect, decided, usual);
    if (errors > 0) continue;
    accepted.push({ visits, given: answers.given });
    for (const [question, alternatives] of answers.asked) {
      if (tried.has(question)) continue;
      tried.add(question);
      for (const answer of alternatives) {
        if (answer === answers.given.get(question)) continue;
        waiting.push(new Map([...decided, [question, answer]]));
      }
    }
  }
  return accepted;
}

/** Answers that the reader accepts: the first alternative, but where another one has fewer errors. */
function acceptedAnswers(read: FileReader, dialect: Dialect): Decided {
  let decided: Decided = new Map();
  let { errors, answers } = readOnce(read, dialect, decided, decided);
  while (errors > 0) {
    const better = [...answers.asked]
      .flatMap(([question, alternatives]) =>
        alternatives.map((answer) => new Map([...decided, [question, answer]])),
      )
      .find((other) => readOnce(read, dialect, other, other).errors < errors);
    if (better === undefined) throw new Error("the reader accepts no file");
    decided = better;
    ({ errors, answers } = readOnce(read, dialect, decided, decided));
  }
  return decided;
}

function readOnce(read: FileReader, dialect: Dialect, decided: Decided, usual: Decided) {
  const [answers, issues, visits] = [
    new Answers(decided),
    new IssueCollector(),
    new Map<string, Visit>(),
  ];
  read(new RecordingReader({ answers, visits, issues, dialect, decided: usual }), issues);
  return { errors: issues.errors.length, answers, visits };
}
