import { RunError } from "./run-error.js";

/** A JSON file of a run, whose fields are checked as they are read. A field is named by its path, as in `convergence.lower_bound`. */
export class JsonFields {
  private readonly content: unknown;
  private readonly path: string;

  constructor(content: unknown, path: string) {
    this.content = content;
    this.path = path;
  }

  number(field: string): number {
    const value = this.value(field);
    return typeof value === "number" ? value : this.fail(field, value, "a number");
  }

  numberOrNull(field: string): number | null {
    const value = this.value(field);
    const fits = typeof value === "number" || value === null;
    return fits ? value : this.fail(field, value, "a number or null");
  }

  text(field: string): string {
    const value = this.value(field);
    return typeof value === "string" ? value : this.fail(field, value, "a text");
  }

  /** `undefined` if the run was made by a version that did not write it. */
  optionalText(field: string): string | undefined {
    return this.value(field) === undefined ? undefined : this.text(field);
  }

  /** `undefined` if the run has none, or was made by a version that did not write it. */
  textIfAny(field: string): string | undefined {
    return this.value(field) === null ? undefined : this.optionalText(field);
  }

  date(field: string): Date {
    const date = new Date(this.text(field));
    return Number.isNaN(date.getTime()) ? this.fail(field, date, "a date") : date;
  }

  /** A list of texts; empty if the run was made by a version that did not write it. */
  texts(field: string): string[] {
    const value = this.value(field) ?? [];
    const fits = Array.isArray(value) && value.every((text) => typeof text === "string");
    return fits ? value : this.fail(field, value, "a list of texts");
  }

  numbers(field: string): number[] {
    const value = this.value(field);
    const fits = Array.isArray(value) && value.every((number) => typeof number === "number");
    return fits ? value : this.fail(field, value, "a list of numbers");
  }

  /** The entries of a list; none if the run was made by a version that did not write it. */
  optionalList(field: string): JsonFields[] {
    return this.value(field) === undefined ? [] : this.list(field);
  }

  /** The entries of a list, each to be read like a file of its own. */
  list(field: string): JsonFields[] {
    const value = this.value(field);
    if (!Array.isArray(value)) return this.fail(field, value, "a list");
    return value.map((entry, i) => new JsonFields(entry, `${this.path}, ${field} ${i}`));
  }

  object(field: string): JsonFields {
    const value = this.value(field);
    return isObject(value)
      ? new JsonFields(value, `${this.path}, ${field}`)
      : this.fail(field, value, "an object");
  }

  objectOrNull(field: string): JsonFields | null {
    return this.value(field) === null ? null : this.object(field);
  }

  /** The keys of an object. */
  keys(field: string): string[] {
    const value = this.value(field);
    return isObject(value) ? Object.keys(value) : this.fail(field, value, "an object");
  }

  private value(field: string): unknown {
    return field
      .split(".")
      .reduce<unknown>(
        (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
        this.content,
      );
  }

  private fail(field: string, value: unknown, expected: string): never {
    const found = value === undefined ? "is missing" : `is not ${expected}`;
    throw new RunError(
      "Damaged",
      this.path,
      `${this.path} is incomplete: ${field} ${found}; run the case again`,
    );
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
