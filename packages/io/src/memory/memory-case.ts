import { CASE_FILES, type Dialect, type IssueCollector, type ValidationIssue } from "@cobre/core";
import { nearest } from "../json/nearest.js";
import type { Columns } from "../parquet/csv.js";
import { inReadersWords, LATER_NAMES } from "./spellings.js";

/** Where the files of a case are: below a path, or in memory. A path alone is that of a case for Cobre 0.5. */
export type CaseDirectory = string | CaseFolder | MemoryCase;

/** A case directory, and the version of Cobre for which its files are written. */
export interface CaseFolder {
  readonly path: string;
  readonly dialect: Dialect;
}

/** The path of a case that is not in memory. */
export function pathOf(directory: CaseDirectory): string | undefined {
  if (directory instanceof MemoryCase) return undefined;
  return typeof directory === "string" ? directory : directory.path;
}

/** The version of Cobre for which a case is written. */
export function dialectOf(directory: CaseDirectory): Dialect {
  return typeof directory === "string" ? "0.5" : directory.dialect;
}

/** Fields of the object that belong to `stages.json`. */
const TIME_FIELDS = ["policy_graph", "season_definitions", "pre_study_stages"];
const WITHOUT_DISCOUNT = { type: "finite_horizon", annual_discount_rate: 0 };
/** The lists of files that are not called like them. */
const LISTS: Readonly<Record<string, string>> = {
  hydro_production_models: "production_models",
  energy_contracts: "contracts",
  generic_constraints: "constraints",
};
/** Files that every case has, and that are empty lists where nothing is said. */
const EMPTY = new Set(["lines", "thermals", "hydros"]);

/**
 * A case that is an object. To the readers it is a directory: they ask for files and get what the field of that name holds, so the same
 * rules judge it. Only where faults are is said otherwise: by their path in the object.
 */
export class MemoryCase {
  readonly name: string;
  /**
   * What turbined water costs decides: `turbined_cost` is a penalty of every case for Cobre 0.18, `fpha_turbined_cost` of every one for Cobre
   * 0.5. Objects of the second kind may use some names of Cobre 0.18, so these do not tell.
   */
  readonly dialect: Dialect;
  private readonly fields: Readonly<Record<string, unknown>>;
  private readonly asked = new Set<string>(["name", "$schema", ...TIME_FIELDS]);

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields;
    this.name = typeof fields.name === "string" && fields.name !== "" ? fields.name : "case";
    const { hydro } = (fields.penalties ?? {}) as { readonly hydro?: object | null };
    this.dialect = "turbined_cost" in (hydro ?? {}) ? "0.18" : "0.5";
  }

  has(file: string): boolean {
    const name = nameOf(file);
    this.asked.add(name);
    return this.fields[name] !== undefined && this.fields[name] !== null;
  }

  /** What a JSON file would hold; `undefined` if there is no such field. */
  document(file: string): unknown {
    const name = nameOf(file);
    if (!this.has(file)) return EMPTY.has(name) ? { [name]: [] } : undefined;
    const value = this.fields[name];
    const document = Array.isArray(value) ? { [LISTS[name] ?? name]: value } : value;
    const whole = file === CASE_FILES.stages ? this.timeLine(document) : document;
    return this.dialect === "0.5" ? inReadersWords(file, whole) : whole;
  }

  /** The columns of a table; `undefined` if there is no such field, or if it is no table, which is reported. */
  columns(file: string, issues: IssueCollector): Columns | undefined {
    if (!this.has(file)) return undefined;
    const value = this.fields[nameOf(file)];
    const found = Array.isArray(value) ? columnsOfRows(value) : columnsOf(value);
    if (typeof found !== "string") return found;
    const remedy = "must be a list of rows, or an object of columns of the same length";
    issues.error("schema", { file }, found, remedy);
    return undefined;
  }

  /** Reports fields that nobody has asked for. */
  checkUnread(issues: IssueCollector): void {
    const known = [...this.asked, ...Object.values(CASE_FILES).map(nameOf)];
    for (const name of Object.keys(this.fields)) {
      if (known.includes(name)) continue;
      const like = nearest(name, known);
      const remedy = like === undefined ? "remove it" : `did you mean "${like}"?`;
      issues.error("schema", { file: name }, "is not a part of a case", remedy);
    }
  }

  /** The issue with the path of the value in the object in place of a file: `hydros[2].reservoir.max_storage_hm3`. */
  placed(issue: ValidationIssue): ValidationIssue {
    const { file, entity, field, ...what } = issue;
    const name = nameOf(file);
    if (!this.asked.has(name) && this.fields[name] === undefined) return issue;
    const path = [this.ownerOf(file, name, entity, field), this.spelt(file, field)];
    const joined = path.filter((part) => part !== undefined && part !== "").join(".");
    return { ...what, file: joined, entity: /^row \d+$/.test(entity ?? "") ? undefined : entity };
  }

  private timeLine(document: unknown): unknown {
    if (!Array.isArray(this.fields.stages)) return document;
    const beside = TIME_FIELDS.filter((name) => this.fields[name] !== undefined);
    return {
      policy_graph: WITHOUT_DISCOUNT,
      ...(document as object),
      ...Object.fromEntries(beside.map((name) => [name, this.fields[name]])),
    };
  }

  /** The path of the object that holds the field. */
  private ownerOf(
    file: string,
    name: string,
    entity: string | undefined,
    field: string | undefined,
  ): string | undefined {
    const value = this.fields[name];
    const row = /^row (\d+)$/.exec(entity ?? "");
    if (row !== null) return `${name}[${Number(row[1]) - 1}]`;
    if (!Array.isArray(value)) return name;
    const id = /^[a-z]+ (-?\d+)$/.exec(entity ?? "");
    if (id !== null) {
      const index = value.findIndex((one) => one?.id === Number(id[1]));
      if (index >= 0) return `${name}[${index}]`;
    }
    // The path already begins with the list, or with a field beside it.
    const isWhole =
      field?.startsWith(name) ||
      (file === CASE_FILES.stages && TIME_FIELDS.some((beside) => field?.startsWith(beside)));
    return isWhole ? undefined : name;
  }

  /** The field as this case spells it. */
  private spelt(file: string, field: string | undefined): string | undefined {
    if (field === undefined) return undefined;
    const renamed = LATER_NAMES[file]?.find(
      ([known]) => field === known || field.endsWith(`.${known}`),
    );
    const isTranslated = this.dialect === "0.5" && this.saysLater(file);
    if (renamed === undefined || !isTranslated) return field;
    return `${field.slice(0, field.length - renamed[0].length)}${renamed[1]}`;
  }

  /** Whether the names of Cobre 0.18 were used in a file. */
  private saysLater(file: string): boolean {
    const text = JSON.stringify(this.fields[nameOf(file)]) ?? "";
    return /"(selection|num_openings|unit_groups)":/.test(text);
  }
}

/** `system/hydros.json`: hydros. */
function nameOf(file: string): string {
  return file.replace(/^.*\//, "").replace(/\.(json|parquet|csv)$/, "");
}

function columnsOfRows(rows: readonly unknown[]): Columns | string {
  const columns = new Map<string, unknown[]>();
  for (const [i, row] of rows.entries()) {
    if (typeof row !== "object" || row === null || Array.isArray(row)) {
      return `row ${i} is not an object`;
    }
    for (const [name, value] of Object.entries(row)) {
      const column = columns.get(name) ?? new Array(rows.length).fill(null);
      columns.set(name, column);
      column[i] = value;
    }
  }
  return { rows: rows.length, columns };
}

function columnsOf(value: unknown): Columns | string {
  if (typeof value !== "object" || value === null) return `is ${JSON.stringify(value)}`;
  const columns = new Map<string, unknown[]>();
  for (const [name, data] of Object.entries(value)) {
    if (!Array.isArray(data) && !ArrayBuffer.isView(data)) return `column ${name} is not a list`;
    columns.set(name, Array.from(data as ArrayLike<unknown>));
  }
  const [first, ...others] = [...columns.values()].map(({ length }) => length);
  if (others.some((length) => length !== first)) return "has columns of different lengths";
  return { rows: first ?? 0, columns };
}
