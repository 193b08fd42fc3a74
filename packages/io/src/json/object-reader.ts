import type { IssueCollector, IssuePlace } from "@cobre/core";
import { nearest } from "./nearest.js";

/** What a number must be. */
export interface NumberRule {
  readonly min?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
}

/**
 * Reads an object of a JSON file field by field. What is missing or of the wrong type is reported, and a harmless value
 * is returned, so that the rest can be read too. {@link finish} warns of fields that nobody asked for.
 */
export class ObjectReader {
  private readonly fields: Readonly<Record<string, unknown>>;
  private readonly known = new Set<string>();
  private readonly ignored = new Set<string>(["$schema"]);
  private readonly place: IssuePlace;
  private readonly path: string;
  private readonly issues: IssueCollector;
  private isBroken = false;

  constructor(value: unknown, place: IssuePlace, path: string, issues: IssueCollector) {
    this.place = place;
    this.path = path;
    this.issues = issues;
    if (isObject(value)) this.fields = value;
    else {
      this.fields = {};
      this.report(undefined, `is ${typeOf(value)}`, "must be an object");
      // Its fields are missing because it is; that is said already.
      this.isBroken = true;
    }
  }

  /** The same object, for messages that name an entity. */
  of(entity: string): ObjectReader {
    const reader = new ObjectReader(this.fields, { ...this.place, entity }, "", this.issues);
    reader.isBroken = this.isBroken;
    return reader;
  }

  /** Whether the field is there and not null. */
  has(key: string): boolean {
    this.known.add(key);
    return this.fields[key] !== undefined && this.fields[key] !== null;
  }

  /** Fields that are known but not used here. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.ignored.add(key);
  }

  number(key: string, rule: NumberRule = {}): number {
    const value = this.required(key);
    if (value === undefined) return 0;
    return this.checkNumber(key, value, rule) ?? 0;
  }

  integer(key: string, rule: NumberRule = {}): number {
    return this.number(key, { ...rule, isInteger: true });
  }

  optionalNumber(key: string, rule: NumberRule = {}): number | undefined {
    return this.has(key) ? this.checkNumber(key, this.fields[key], rule) : undefined;
  }

  optionalInteger(key: string, rule: NumberRule = {}): number | undefined {
    return this.optionalNumber(key, { ...rule, isInteger: true });
  }

  text(key: string): string {
    const value = this.required(key);
    if (value === undefined) return "";
    if (typeof value === "string") return value;
    this.report(key, `is ${typeOf(value)}`, "must be a text");
    return "";
  }

  boolean(key: string, otherwise: boolean): boolean {
    if (!this.has(key)) return otherwise;
    const value = this.fields[key];
    if (typeof value === "boolean") return value;
    this.report(key, `is ${typeOf(value)}`, "must be true or false");
    return otherwise;
  }

  /** One of a few texts; without `otherwise` it must be given. */
  choice<const T extends string>(key: string, choices: readonly T[], otherwise?: NoInfer<T>): T {
    const first = otherwise ?? (choices[0] as T);
    if (otherwise !== undefined && !this.has(key)) return first;
    const value = this.required(key);
    if (value === undefined) return first;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    const like = typeof value === "string" ? nearest(value, choices) : undefined;
    const hint = like === undefined ? "" : `; did you mean "${like}"?`;
    this.report(
      key,
      `is ${typeof value === "string" ? `"${value}"` : typeOf(value)}`,
      `must be one of: ${choices.join(", ")}${hint}`,
    );
    return first;
  }

  object(key: string): ObjectReader {
    const value = this.required(key);
    const reader = new ObjectReader(value ?? {}, this.place, this.inner(key), this.issues);
    if (value === undefined) reader.isBroken = true;
    return reader;
  }

  optionalObject(key: string): ObjectReader | undefined {
    return this.has(key) ? this.object(key) : undefined;
  }

  /** The value as it is, for fields of several types. */
  raw(key: string): unknown {
    this.known.add(key);
    return this.fields[key] ?? undefined;
  }

  list(key: string): readonly ObjectReader[] {
    return this.values(key).map(
      (value, i) => new ObjectReader(value, this.place, `${this.inner(key)}[${i}]`, this.issues),
    );
  }

  optionalList(key: string): readonly ObjectReader[] | undefined {
    return this.has(key) ? this.list(key) : undefined;
  }

  numbers(key: string): readonly number[] {
    return this.values(key).map((value, i) => this.checkNumber(`${key}[${i}]`, value, {}) ?? 0);
  }

  /** The entries of an object that is used as a map. */
  entries(): readonly (readonly [string, ObjectReader])[] {
    return Object.entries(this.fields).map(([key, value]) => {
      this.known.add(key);
      return [key, new ObjectReader(value, this.place, this.inner(key), this.issues)] as const;
    });
  }

  /** Warns of every field that was not asked for, and names the one that may have been meant. */
  finish(): void {
    for (const key of Object.keys(this.fields)) {
      if (this.known.has(key) || this.ignored.has(key)) continue;
      const candidates = [...this.known].filter((name) => this.fields[name] === undefined);
      const like = nearest(key, candidates);
      const remedy = like === undefined ? "remove it, it has no effect" : `did you mean "${like}"?`;
      this.issues.warning(
        "schema",
        { ...this.place, field: this.inner(key) },
        "is not a known field",
        remedy,
      );
    }
  }

  /** Reports a fault of a field, or of the object itself. */
  report(key: string | undefined, problem: string, remedy: string): void {
    const field = key === undefined ? this.path : this.inner(key);
    this.issues.error("schema", { ...this.place, field: field || undefined }, problem, remedy);
  }

  private required(key: string): unknown {
    this.known.add(key);
    const value = this.fields[key];
    if (value !== undefined && value !== null) return value;
    if (!this.isBroken)
      this.report(key, value === null ? "is null" : "is missing", "must be given");
    return undefined;
  }

  private values(key: string): readonly unknown[] {
    const value = this.required(key);
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.report(key, `is ${typeOf(value)}`, "must be a list");
    return [];
  }

  private checkNumber(key: string, value: unknown, rule: NumberRule): number | undefined {
    const { min, max, isInteger = false } = rule;
    const what = isInteger ? "a whole number" : "a number";
    if (typeof value !== "number") {
      this.report(key, `is ${typeOf(value)}`, `must be ${what}`);
      return undefined;
    }
    if (isInteger && !Number.isSafeInteger(value)) {
      this.report(key, `is ${value}`, `must be ${what} of at most 53 bits`);
      return undefined;
    }
    if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
      const range =
        max === undefined
          ? `at least ${min}`
          : min === undefined
            ? `at most ${max}`
            : `between ${min} and ${max}`;
      this.report(key, `is ${value}`, `must be ${range}`);
      return undefined;
    }
    return value;
  }

  private inner(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? `the text "${value}"` : `${value}`;
}
