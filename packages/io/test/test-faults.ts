import assert from "node:assert/strict";
import { it } from "node:test";
import { formatIssue } from "@cobre/core";
import { validateCase } from "@cobre/sddp";
import { type FileContent, withCase } from "./case-folder.js";

export type Changes = Readonly<Record<string, FileContent>>;

/** A fault: what it is, the files that have it, and everything that must be said about it. */
export type Fault = readonly [what: string, changes: Changes, ...messages: RegExp[]];

/** One test for each fault. */
export function testFaults(faults: readonly Fault[]): void {
  for (const [what, changes, ...messages] of faults) {
    it(`is told: ${what}`, () =>
      withCase(changes, async (directory) => {
        const { issues, case: found } = await validateCase(directory);
        const lines = issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
        assert.equal(lines.length, messages.length, lines.join("\n"));
        messages.forEach((message, i) => {
          assert.match(lines[i] as string, message);
        });
        const hasErrors = issues.some(({ severity }) => severity === "error");
        assert.equal(found === undefined, hasErrors);
      }));
  }
}
