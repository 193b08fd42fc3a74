import type { Day } from "@cobre/core";
import { nearest } from "./nearest.js";
import { faultOfNumber, type NumberRule } from "./number-rule.js";
import { isObject, ObjectFields, typeOf } from "./object-fields.js";

const MILLISECONDS_A_DAY = 86_400_000;

/**
 * Reads an object of a JSON file field by field. A field that is missing or has the wrong type is reported, and a harmless value
 * is returned so that reading can go on. {@link finish} warns about fields that were not read.
 *
 * What it is asked for is the format of the file: `RecordingReader` makes a schema of it. So a reader asks the same of every file, but for what
 * choices, flags and the presence of fields decide.
 *
 * @example
 * ```ts
 * const read = (settings: ObjectReader) => ({
 *   limit: settings.integer("limit", { min: 1 }),
 *   mode: settings.choice("mode", ["any", "all"], "any"),
 * });
 * ```
 */
export class ObjectReader extends ObjectFields {
  /** The same object, with messages that name an entity. */
  of(entity: string): ObjectReader {
    const place = { ...this.place, entity };
    const reader = new ObjectReader(this.fields, place, "", this.issues, this.dialect);
    reader.isBroken = this.isBroken;
    return reader;
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

  /** One of several strings; required unless `otherwise` is given. */
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

  /** A text of which this version can do only one. */
  onlyText(key: string, only: string, what: (text: string) => string): void {
    const text = this.text(key);
    if (typeof this.fields[key] === "string" && text !== only) this.cannot(key, what(text));
  }

  /** A day, as in 2024-01-31. */
  day(key: string): Day {
    const text = this.text(key);
    if (text === "" && typeof this.fields[key] !== "string") return 0; // reported
    const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
    if (match !== null) {
      const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
      const date = new Date(Date.UTC(year, month - 1, day));
      // Date.UTC takes 2024-02-31 for a day of March.
      if (date.getUTCMonth() === month - 1 && date.getUTCDate() === day)
        return date.getTime() / MILLISECONDS_A_DAY;
    }
    this.report(key, `is "${text}"`, "must be a day, as in 2024-01-31");
    return 0;
  }

  /** One of several strings, or an object; `undefined` if it is missing or neither. */
  choiceOrObject<const T extends string>(
    key: string,
    choices: readonly T[],
    remedy: string,
  ): T | ObjectReader | undefined {
    const value = this.raw(key);
    const found = choices.find((choice) => choice === value);
    if (found !== undefined || value === undefined) return found;
    if (isObject(value)) return this.object(key);
    const like = typeof value === "string" ? nearest(value, choices) : undefined;
    const hint = like === undefined ? "" : `; did you mean "${like}"?`;
    this.report(key, `is ${JSON.stringify(value)}`, `${remedy}${hint}`);
    return undefined;
  }

  /**
   * An object with one field, whose name tells what it is: `{"cvar": {"alpha": 0.5, "lambda": 1}}`. Returns the name and the reader of what
   * it says.
   */
  variant<const T extends string>(
    choices: readonly [T, ...T[]],
  ): readonly [name: T, value: ObjectReader] {
    const given = choices.filter((choice) => this.has(choice));
    if (given.length > 1) {
      this.report(undefined, `has ${given.join(" and ")}`, "must have one of them");
    }
    const name = given[0] ?? choices[0];
    // With one choice it is clear what is missing; of several, none is.
    if (given.length > 0 || choices.length === 1) return [name, this.object(name)];
    this.report(undefined, "does not say which one", `must have one of: ${choices.join(", ")}`);
    const nothing = this.at(name, {});
    nothing.isBroken = true;
    return [name, nothing];
  }

  /** A list of lists of finite numbers. */
  matrix(key: string): readonly (readonly number[])[] {
    const rows = this.raw(key);
    const isMatrix =
      Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.every(Number.isFinite));
    if (isMatrix) return rows as readonly (readonly number[])[];
    this.report(key, "is not a matrix", "must be a list of lists of finite numbers");
    return [];
  }

  object(key: string): ObjectReader {
    const value = this.required(key);
    const reader = this.at(key, value ?? {});
    if (value === undefined) reader.isBroken = true;
    return reader;
  }

  optionalObject(key: string): ObjectReader | undefined {
    return this.has(key) ? this.object(key) : undefined;
  }

  /** @param ifEmpty what to do if there is no entry, where there must be one */
  list(key: string, ifEmpty?: string): readonly ObjectReader[] {
    const values = this.values(key);
    const isEmpty = values.length === 0 && Array.isArray(this.fields[key]);
    if (isEmpty && ifEmpty !== undefined) this.report(key, "is empty", ifEmpty);
    return values.map(
      (value, i) =>
        new ObjectReader(value, this.place, `${this.inner(key)}[${i}]`, this.issues, this.dialect),
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
      return [key, this.at(key, value)] as const;
    });
  }

  private at(key: string, value: unknown): ObjectReader {
    return new ObjectReader(value, this.place, this.inner(key), this.issues, this.dialect);
  }

  private values(key: string): readonly unknown[] {
    const value = this.required(key);
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.report(key, `is ${typeOf(value)}`, "must be a list");
    return [];
  }

  private checkNumber(key: string, value: unknown, rule: NumberRule): number | undefined {
    if (typeof value !== "number") {
      const what = rule.isInteger ? "a whole number" : "a number";
      this.report(key, `is ${typeOf(value)}`, `must be ${what}`);
      return undefined;
    }
    const remedy = faultOfNumber(value, rule);
    if (remedy === undefined) return value;
    this.report(key, `is ${value}`, remedy);
    return undefined;
  }
}
