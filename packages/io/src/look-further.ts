import { CASE_FILES, IssueCollector, type ValidationIssue } from "@cobre/core";

/** What the entities of a file are called in messages. */
const KINDS: Readonly<Record<string, string>> = {
  [CASE_FILES.buses]: "bus",
  [CASE_FILES.lines]: "line",
  [CASE_FILES.thermals]: "thermal",
  [CASE_FILES.hydros]: "hydro",
  [CASE_FILES.stages]: "stage",
  [CASE_FILES.nonControllables]: "non-controllable source",
  [CASE_FILES.pumpingStations]: "pumping station",
  [CASE_FILES.energyContracts]: "contract",
  [CASE_FILES.genericConstraints]: "constraint",
};

/**
 * Looks for errors across files in a case of which something could not be read, so that a user sees them together with those. Where something could
 * not be read there is a harmless value; errors that may come from one are not told.
 */
export async function lookFurther(
  issues: IssueCollector,
  build: (found: IssueCollector) => Promise<unknown>,
): Promise<void> {
  const told = new Told(issues.errors);
  const found = new IssueCollector();
  try {
    await build(found);
  } catch {
    // Harmless values need not fit together. What was found before is true all the same.
  }
  issues.issues.push(...found.errors.filter((issue) => !told.mayCause(issue)));
}

/** The errors that are known, and what may follow from them. */
class Told {
  /** Files of which it is not known which entity is wrong. */
  private readonly files = new Set<string>();
  /** Kinds of entities of which one may be missing. */
  private readonly incomplete: string[] = [];
  /** Entities that are not as the case says. */
  private readonly entities: RegExp[] = [];
  /** Costs of all entities that could not be read. An entity that gives none has them. */
  private readonly costs: RegExp[] = [];

  constructor(errors: readonly ValidationIssue[]) {
    for (const { file, entity, field } of errors) {
      const table = file.replace(/\.csv$/, ".parquet");
      if (file === CASE_FILES.penalties) this.costs.push(costsOf(field));
      const isOfFile = entity === undefined || /^(row|line) \d+$/.test(entity);
      if (isOfFile) this.files.add(table);
      else this.entities.push(wordsOf(entity));
      const kind = KINDS[file];
      if (kind !== undefined && (isOfFile || field === "id")) this.incomplete.push(kind);
    }
  }

  mayCause({ file, entity = "", field = "", problem, remedy }: ValidationIssue): boolean {
    if (this.files.has(file)) return true;
    const text = `${entity} ${problem} ${remedy}`;
    if (this.entities.some((words) => words.test(text))) return true;
    if (this.incomplete.some((kind) => new RegExp(`\\b${kind} \\S+ does not exist`).test(text)))
      return true;
    return this.costs.some((costs) => costs.test(field));
  }
}

/** The fields of entities for which a field of `penalties.json` stands in: `line.exchange_cost` for `exchange_cost`. */
function costsOf(field: string | undefined): RegExp {
  const [, cost] = /^\w+\.(\w+)/.exec(field ?? "") ?? [];
  return cost === undefined ? /cost|segments/ : new RegExp(`\\b${cost}\\b`);
}

/** Finds an entity in a text: `hydro 1`, but not `hydro 12`. */
function wordsOf(entity: string): RegExp {
  const [first = entity] = entity.split(", ");
  const escaped = first.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?!\\w)`);
}
