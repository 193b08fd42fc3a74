import { formatIssue, type ValidationIssue } from "@cobre/core";

/** Prints warnings to stderr, one a line. */
export function tellWarnings(issues: readonly ValidationIssue[]): void {
  for (const issue of issues) {
    if (issue.severity === "warning") console.error(`warning: ${formatIssue(issue)}`);
  }
}
