import type { ValidationIssue } from "@cobre/core";
import { isObject, type Json } from "./json.js";
import type { MigrationNotes } from "./notes.js";

/** A file without the fields that nobody reads: Cobre 0.5 skips them, Cobre 0.18 refuses the case. */
export function withoutUnknown(
  document: Json,
  file: string,
  warnings: readonly ValidationIssue[],
  notes: MigrationNotes,
): Json {
  const copy = structuredClone(document);
  for (const { file: where, entity, field, problem } of warnings) {
    if (where !== file || field === undefined || problem !== "is not a known field") continue;
    const keys = field.split(/[.[\]]+/).filter((key) => key !== "");
    const last = keys.pop() as string;
    const owner = keys.reduce<unknown>(
      (inner, key) => (inner as Json | undefined)?.[key],
      entity === undefined ? copy : entryOf(copy, entity),
    );
    if (!isObject(owner)) continue;
    delete (owner as Record<string, unknown>)[last];
    const of = entity === undefined ? "" : `${entity}: `;
    notes.add(file, `${of}${field}`, "is not a known field; it was left out");
  }
  return copy;
}

/** The entry of a list that messages call `entity`, as in "hydro 3". */
function entryOf(document: Json, entity: string): unknown {
  const id = Number(/(-?\d+)$/.exec(entity)?.[1]);
  return Object.values(document)
    .filter((value): value is unknown[] => Array.isArray(value))
    .flat()
    .find(
      (one) => isObject(one) && (one.id === id || (one.id === undefined && one.hydro_id === id)),
    );
}
