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
  /** Answers that were accepted in some file. One that is refused beside others may be accepted without them. */
  const known = new Set<string>();
  const nameOf = (question: string, answer: Answer) => `${question} = ${answer}`;
  const waiting: { decided: Decided; tries?: string }[] = [{ decided: usual }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { decided, tries } = next;
    if (tries !== undefined && known.has(tries)) continue;
    const { errors, answers, visits } = readOnce(read, dialect, decided, usual);
    if (errors > 0) continue;
    accepted.push({ visits, given: answers.given });
    for (const [question, answer] of answers.given) known.add(nameOf(question, answer));
    for (const [question, alternatives] of answers.asked) {
      for (const answer of alternatives) {
        const tries = nameOf(question, answer);
        if (known.has(tries)) continue;
        waiting.push({ decided: new Map([...decided, [question, answer]]), tries });
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
