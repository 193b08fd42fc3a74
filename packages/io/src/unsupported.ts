import type { IssueCollector } from "@cobre/core";

/** Reports an unsupported feature as an error, because ignoring it would give wrong results. */
export function unsupported(
  issues: IssueCollector,
  file: string,
  field: string | undefined,
  what: string,
  entity?: string,
): void {
  issues.error(
    "schema",
    { file, entity, field },
    `asks for ${what}`,
    "this version cannot do that yet",
  );
}
