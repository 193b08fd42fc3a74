import { CASE_FILES, type Dialect } from "@cobre/core";

/** The field that every case has in one of the dialects, and no case in the other: it decides. */
const MARKS: Readonly<Record<Dialect, string>> = {
  "0.5": "forward_passes",
  "0.18": "selection",
};

/** Fields of other files that tell the dialects apart, for cases whose configuration says nothing or both. */
const HINTS: readonly {
  readonly file: string;
  readonly path: readonly string[];
  readonly names: Readonly<Record<Dialect, string>>;
}[] = [
  {
    file: CASE_FILES.stages,
    path: ["stages", "0"],
    names: { "0.5": "num_scenarios", "0.18": "num_openings" },
  },
  {
    file: CASE_FILES.penalties,
    path: ["hydro"],
    names: { "0.5": "fpha_turbined_cost", "0.18": "turbined_cost" },
  },
];

/** Where the mark of a dialect stands, for messages. */
export function placeOfMark(dialect: Dialect): string {
  return `training.${MARKS[dialect]} in ${CASE_FILES.config}`;
}

/**
 * The dialect of a case. Its configuration decides; where that has both marks or none, other files do. Without any sign a case is one of
 * Cobre 0.5, and with every sign one of Cobre 0.18. Fields of the other dialect are reported by the readers, each with its file.
 *
 * @param document what a JSON file of the case holds; `undefined` if it cannot be read
 */
export async function recogniseDialect(
  document: (file: string) => Promise<unknown>,
): Promise<Dialect> {
  const training = at(await document(CASE_FILES.config), ["training"]);
  const isEarlier = has(training, MARKS["0.5"]);
  // Enumerated paths are a selection in both.
  const isEnumerated = at(training, [MARKS["0.18"], "method"]) === "enumerated";
  const isLater = has(training, MARKS["0.18"]) && !isEnumerated;
  if (isEarlier !== isLater) return isLater ? "0.18" : "0.5";
  for (const { file, path, names } of HINTS) {
    const object = at(await document(file), path);
    const hasLater = has(object, names["0.18"]);
    if (has(object, names["0.5"]) !== hasLater) return hasLater ? "0.18" : "0.5";
  }
  return isLater ? "0.18" : "0.5";
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (has(inner, key) ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
}

function has(value: unknown, key: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  const found = (value as Record<string, unknown>)[key];
  return found !== undefined && found !== null;
}
