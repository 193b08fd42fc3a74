/** A JSON object of a file of a case, as it stands. */
export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object without some of its fields. */
export function without(object: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The object with each entry of a list changed. */
export function withEach(document: Json, list: string, change: (entry: Json) => Json): Json {
  const entries = document[list];
  if (!Array.isArray(entries)) return document;
  return { ...document, [list]: entries.map((one) => (isObject(one) ? change(one) : one)) };
}
