import type { NumberRule } from "../json/number-rule.js";

/** What a reader asks a field to be. An object or the entries of a list have a path of their own. */
export type FieldType =
  /** Anything; a reader may still want to know whether it is there, which is a question to {@link Answers}. */
  | { readonly kind: "any"; readonly question?: string }
  | { readonly kind: "number"; readonly rule: NumberRule }
  | { readonly kind: "text" | "day" | "numbers" | "matrix" }
  | { readonly kind: "only text"; readonly only: string }
  | { readonly kind: "boolean"; readonly question: string; readonly otherwise: boolean }
  | { readonly kind: "choice"; readonly question: string; readonly otherwise: string | undefined }
  | { readonly kind: "object"; readonly path: string }
  | {
      readonly kind: "choice or object";
      readonly choices: readonly string[];
      readonly path: string;
    }
  | { readonly kind: "list"; readonly question: string; readonly path: string }
  /** A field of a later version: null, or an empty list. */
  | { readonly kind: "nothing" };

/** A field of an object. */
export interface Field {
  readonly isRequired: boolean;
  readonly type: FieldType;
}

/** What one reading asked of the object at a path. */
export class Visit {
  readonly fields = new Map<string, Field>();
  /** The questions of its choices, by field. */
  readonly choices = new Map<string, string>();
  /** The question which one of several fields it has, if it has only one. */
  variant: string | undefined;
  /** The path of the entries, if it is used as a map. */
  entries: string | undefined;
  /** Whether fields that were not asked for are told as mistakes. */
  isClosed = false;

  /** A field may be asked for several times. What says most about it stays. */
  add(key: string, type: FieldType, isRequired = false): void {
    const known = this.fields.get(key);
    const isKept = known !== undefined && (known.type.kind !== "any" || type.kind === "any");
    const kept = isKept ? known.type : type;
    this.fields.set(key, { isRequired: isRequired || (known?.isRequired ?? false), type: kept });
  }
}

/** What one reading asked of a file: the objects by their paths, and the answers it got. */
export interface Reading {
  readonly visits: ReadonlyMap<string, Visit>;
  readonly given: ReadonlyMap<string, string | boolean>;
}
