import type { Dialect, IssueCollector, IssuePlace } from "@cobre/core";
import { placeOfMark } from "../dialect/marks.js";
import type { LaterFields } from "../later-fields.js";
import { nearest } from "./nearest.js";

/**
 * The fields of an object of a JSON file: which are there, which of them nobody has asked for, which belong to another version of Cobre, and
 * where a fault is reported. `ObjectReader` reads their values.
 */
export class ObjectFields {
  protected readonly fields: Readonly<Record<string, unknown>>;
  protected readonly known = new Set<string>();
  private readonly ignored = new Set<string>(["$schema"]);
  protected readonly place: IssuePlace;
  protected readonly path: string;
  protected readonly issues: IssueCollector;
  /** The version of Cobre for which the file is written. */
  readonly dialect: Dialect;
  /** Fields that are missing only because the case calls them otherwise, which has been reported. */
  private readonly misnamed = new Set<string>();
  protected isBroken = false;

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

  /** The unchecked value, for fields that may have several types. */
  raw(key: string): unknown {
    this.known.add(key);
    return this.fields[key] ?? undefined;
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

  /** Whether the field is there and asks for something: null and an empty list ask for nothing. */
  private asks(key: string): boolean {
    const value = this.has(key) ? this.fields[key] : undefined;
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  }

  /** The value of a field that must be given; `undefined` if it is not, which has been reported. */
  protected required(key: string): unknown {
    this.known.add(key);
    const value = this.fields[key];
    if (value !== undefined && value !== null) return value;
    if (!this.isBroken && !this.misnamed.has(key))
      this.report(key, value === null ? "is null" : "is missing", "must be given");
    return undefined;
  }

  protected inner(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a value is, in words. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? `the text "${value}"` : `${value}`;
}
