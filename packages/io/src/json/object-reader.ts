import type { Day, Dialect, IssueCollector, IssuePlace } from "@cobre/core";
import { placeOfMark } from "../dialect/marks.js";
import type { LaterFields } from "../later-fields.js";
import { nearest } from "./nearest.js";
import { faultOfNumber, type NumberRule } from "./number-rule.js";

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
export class ObjectReader {
  private readonly fields: Readonly<Record<string, unknown>>;
  private readonly known = new Set<string>();
  private readonly ignored = new Set<string>(["$schema"]);
  protected readonly place: IssuePlace;
  protected readonly path: string;
  protected readonly issues: IssueCollector;
  /** The version of Cobre for which the file is written. */
  readonly dialect: Dialect;
  /** Fields that are missing only because the case calls them otherwise, which has been reported. */
  private readonly misnamed = new Set<string>();
  private isBroken = false;

  constructor(
    value: unknown,
    place: IssuePlace,
    path: string,
    issues: IssueCollector,
    dialect: Dialect = "0.5",
  ) {
    this.place = place;
    this.path = path;
    this.issues = issues;
    this.dialect = dialect;
    if (isObject(value)) this.fields = value;
    else {
      this.fields = {};
      this.report(undefined, `is ${typeOf(value)}`, "must be an object");
      // The object itself has been reported, so its missing fields are not.
      this.isBroken = true;
    }
  }

  /** The same object, with messages that name an entity. */
  of(entity: string): ObjectReader {
    const place = { ...this.place, entity };
    const reader = new ObjectReader(this.fields, place, "", this.issues, this.dialect);
    reader.isBroken = this.isBroken;
    return reader;
  }

  /** Whether the field exists and is not null. */
  has(key: string): boolean {
    this.known.add(key);
    return this.fields[key] !== undefined && this.fields[key] !== null;
  }

  /** Names fields that are valid but not used. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.ignored.add(key);
  }

  /** Refuses a field that asks for something this version cannot do. */
  cannot(key: string, what: string): void {
    this.known.add(key);
    this.report(key, `asks for ${what}`, "this version cannot do that yet");
  }

  /** Whether the file is written for Cobre 0.18. */
  get isLater(): boolean {
    return this.dialect === "0.18";
  }

  /**
   * The name of a field that Cobre 0.18 calls otherwise than Cobre 0.5: the one of this case. The other one is refused, for Cobre 0.5 by
   * {@link refuseLater}.
   */
  word(earlier: string, later: string): string {
    const [own, other] = this.isLater ? [later, earlier] : [earlier, later];
    if (!this.asks(other)) return own;
    if (!this.has(own)) this.misnamed.add(own);
    if (this.isLater) this.refuseEarlier({ [earlier]: `give ${later}` });
    return own;
  }

  /** In a case for Cobre 0.18: refuses fields that only Cobre 0.5 knows, and says what to do instead. */
  refuseEarlier(fields: Readonly<Record<string, string>>): void {
    if (!this.isLater) return;
    for (const [key, instead] of Object.entries(fields)) {
      if (!this.asks(key)) continue;
      const remedy = `the case is written for Cobre 0.18, see ${placeOfMark("0.18")}: ${instead}`;
      this.report(key, "is a field of Cobre 0.5", remedy);
    }
  }

  /** Refuses fields of Cobre 0.18: in a case for Cobre 0.5 all of them, else those that ask for something this version cannot do. */
  refuseLater(fields: LaterFields): void {
    for (const [key, field] of Object.entries(fields)) {
      if (this.isLater && ("was" in field || field.isRead === true)) continue;
      if (!this.asks(key)) continue;
      if ("was" in field) {
        const remedy = `the case is written for Cobre 0.5, see ${placeOfMark("0.5")}: give ${field.was}`;
        this.report(key, "is a field of Cobre 0.18", remedy);
      } else if (field.isRead === true) {
        const remedy = `the case is written for Cobre 0.5, see ${placeOfMark("0.5")}: remove it, or translate the case with cobre migrate`;
        this.report(key, `is a field of Cobre 0.18 and asks for ${field.asksFor}`, remedy);
      } else {
        const remedy = "this version cannot do that yet; without it the result would be another";
        this.report(key, `is a field of Cobre 0.18 and asks for ${field.asksFor}`, remedy);
      }
    }
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

  /** The unchecked value, for fields that may have several types. */
  raw(key: string): unknown {
    this.known.add(key);
    return this.fields[key] ?? undefined;
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

  /**
   * Tells of every field that was not read, and suggests the one that may have been meant: as a warning, and in a case for Cobre 0.18, which is
   * strict, as an error.
   */
  finish(): void {
    for (const key of Object.keys(this.fields)) {
      if (this.known.has(key) || this.ignored.has(key)) continue;
      const candidates = [...this.known].filter((name) => this.fields[name] === undefined);
      const like = nearest(key, candidates);
      const remedy = like === undefined ? "remove it, it has no effect" : `did you mean "${like}"?`;
      if (this.isLater) this.report(key, "is not a known field", remedy);
      else this.warn(key, "is not a known field", remedy);
    }
  }

  /** Reports an error in a field, or in the object itself. */
  report(key: string | undefined, problem: string, remedy: string): void {
    const field = key === undefined ? this.path : this.inner(key);
    this.issues.error("schema", { ...this.place, field: field || undefined }, problem, remedy);
  }

  /** Warns about a field whose value is understood and does nothing. */
  warn(key: string, problem: string, remedy: string): void {
    const place = { ...this.place, field: this.inner(key) };
    this.issues.warning("schema", place, problem, remedy);
  }

  private at(key: string, value: unknown): ObjectReader {
    return new ObjectReader(value, this.place, this.inner(key), this.issues, this.dialect);
  }

  /** Whether the field is there and asks for something: null and an empty list ask for nothing. */
  private asks(key: string): boolean {
    const value = this.has(key) ? this.fields[key] : undefined;
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  }

  private required(key: string): unknown {
    this.known.add(key);
    const value = this.fields[key];
    if (value !== undefined && value !== null) return value;
    if (!this.isBroken && !this.misnamed.has(key))
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

  protected inner(key: string): string {
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
