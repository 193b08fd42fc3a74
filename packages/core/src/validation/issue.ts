/** The five layers of validation, in the order in which they run. */
export const VALIDATION_LAYERS = [
  "schema",
  "references",
  "physics",
  "stochastic",
  "dimensions",
] as const;
export type ValidationLayer = (typeof VALIDATION_LAYERS)[number];

/** Where an issue is: a file of the case directory, with the entity and the field if they are known. */
export interface IssuePlace {
  readonly file: string;
  readonly entity?: string | undefined;
  readonly field?: string | undefined;
}

/** An error in a case, or something that looks like one. */
export interface ValidationIssue extends IssuePlace {
  readonly severity: "error" | "warning";
  readonly layer: ValidationLayer;
  /** What is wrong. */
  readonly problem: string;
  /** How to put it right. */
  readonly remedy: string;
}

/** The issue in one line. */
export function formatIssue(issue: ValidationIssue): string {
  const where = [issue.file, issue.entity, issue.field].filter((part) => part).join(": ");
  return `${where}: ${issue.problem}; ${issue.remedy}`;
}

/**
 * Collects issues, so that a user sees all of them at once.
 *
 * @example
 * ```ts
 * const issues = new IssueCollector();
 * const study = buildStudy(input, issues);
 * issues.throwIfErrors();
 * ```
 */
export class IssueCollector {
  readonly issues: ValidationIssue[] = [];

  error(layer: ValidationLayer, place: IssuePlace, problem: string, remedy: string): void {
    this.issues.push({ severity: "error", layer, ...place, problem, remedy });
  }

  warning(layer: ValidationLayer, place: IssuePlace, problem: string, remedy: string): void {
    this.issues.push({ severity: "warning", layer, ...place, problem, remedy });
  }

  get errors(): readonly ValidationIssue[] {
    return this.issues.filter(({ severity }) => severity === "error");
  }

  get warnings(): readonly ValidationIssue[] {
    return this.issues.filter(({ severity }) => severity === "warning");
  }

  /** Throws a {@link ValidationError} with all issues if one of them is an error. */
  throwIfErrors(): void {
    if (this.errors.length > 0) throw new ValidationError(this.issues);
  }
}

/** A case cannot be used. `issues` holds all errors and warnings; the message lists the errors. */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  readonly issues: readonly ValidationIssue[];

  /** @param what cannot be used */
  constructor(issues: readonly ValidationIssue[], what = "the case") {
    const errors = issues.filter(({ severity }) => severity === "error");
    const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
    super(`${what} has ${count}:\n${errors.map((issue) => `- ${formatIssue(issue)}`).join("\n")}`);
    this.issues = issues;
  }
}
