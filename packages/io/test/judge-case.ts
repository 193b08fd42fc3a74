/** What the checks say of a case that is written to a folder. */
import { formatIssue } from "@cobre/core";
import type { Case } from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { type FileContent, withCase } from "./case-folder.js";
import { laterCase } from "./later-case.js";

export type Changes = Readonly<Record<string, FileContent>>;

/** The case as it is read, if it can be, and its issues in words. */
export async function judgeCase(files: Changes, settings?: object) {
  let found: Case | undefined;
  let issues: string[] = [];
  await withCase(files, async (directory) => {
    const validation = await validateCase(directory, settings);
    found = validation.case;
    issues = validation.issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
  });
  return { found, issues };
}

/** The same of a case for Cobre 0.18 with other files in place of some. */
export const judgeLater = (changes: Changes = {}, settings?: object) =>
  judgeCase({ ...laterCase(), ...changes }, settings);

/** A file of that case with a value set at a path; `undefined` removes it. */
export function withValue(
  file: string,
  path: string,
  value: unknown,
  content = laterCase()[file],
): Changes {
  const copy = structuredClone(content) as Record<string, unknown>;
  const keys = path.split(".");
  const last = keys.pop() as string;
  const object = keys.reduce((node, key) => node[key] as Record<string, unknown>, copy);
  if (value === undefined) delete object[last];
  else object[last] = value;
  return { [file]: copy };
}
