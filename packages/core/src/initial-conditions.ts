import { CASE_FILES } from "./case-files.js";
import type { DatedValue } from "./system/dated-values.js";
import type { Hydro } from "./system/entities.js";
import type { IssueCollector } from "./validation/issue.js";

/** What is known when the study starts. */
export interface InitialConditionsInput {
  readonly storage: readonly { readonly hydroId: number; readonly valueHm3: number }[];
  /** Of plants whose reservoirs are filled during the study. */
  readonly fillingStorage?: readonly { readonly hydroId: number; readonly valueHm3: number }[];
  /** What plants have released before the study, in m³/s, if their water takes time to the next plant. */
  readonly pastDefluences?: readonly DatedValue[];
  /** What thermal plants were committed to before the study, in MW. */
  readonly pastCommitments?: readonly DatedValue[];
  /** Most recent first. */
  readonly pastInflows?: readonly {
    readonly hydroId: number;
    readonly valuesM3s: readonly number[];
  }[];
}

/** The initial conditions of each plant, by its index. */
export interface InitialConditions {
  readonly storageHm3: Float64Array;
  /** Most recent first; empty for a plant without past inflows. */
  readonly pastInflowsM3s: readonly (readonly number[])[];
}

/**
 * Arranges the initial conditions by plant and reports errors. A plant without a given storage starts empty.
 *
 * @param filled the ids of the plants that have a filling
 */
export function buildInitialConditions(
  input: InitialConditionsInput,
  hydros: readonly Hydro[],
  filled: ReadonlySet<number>,
  issues: IssueCollector,
): InitialConditions {
  const index = new Map(hydros.map(({ id }, i) => [id, i]));
  const storageHm3 = new Float64Array(hydros.length);
  const pastInflowsM3s: (readonly number[])[] = hydros.map(() => []);
  const file = CASE_FILES.initialConditions;
  const find = (hydroId: number, field: string, seen: Set<number>): number | undefined => {
    const place = { file, entity: `hydro ${hydroId}`, field };
    const at = index.get(hydroId);
    if (at === undefined) {
      issues.error(
        "references",
        place,
        `hydro ${hydroId} does not exist`,
        `give the id of a plant in ${CASE_FILES.hydros}`,
      );
    } else if (seen.has(hydroId)) {
      issues.error("references", place, "is given twice", "give it once");
    }
    seen.add(hydroId);
    return at;
  };
  const stored = new Set<number>();
  for (const { hydroId, valueHm3 } of input.storage) {
    const at = find(hydroId, "storage", stored);
    if (at === undefined) continue;
    storageHm3[at] = valueHm3;
    checkStorage(hydros[at] as Hydro, valueHm3, issues);
  }
  for (const { hydroId, valueHm3 } of input.fillingStorage ?? []) {
    const at = find(hydroId, "filling_storage", stored);
    if (at === undefined) continue;
    storageHm3[at] = valueHm3;
    const place = { file, entity: `hydro ${hydroId}`, field: "filling_storage" };
    if (!filled.has(hydroId)) {
      issues.error("references", place, "the plant has no filling", "give its value in storage");
    }
    if (!(valueHm3 >= 0)) {
      const at = { ...place, field: "filling_storage.value_hm3" };
      issues.error("physics", at, `is ${valueHm3}`, "must not be below 0");
    }
    const most = hydros[at]?.maxStorageHm3 ?? 0;
    if (valueHm3 > most) {
      const at = { ...place, field: "filling_storage.value_hm3" };
      issues.error("physics", at, `is ${valueHm3}`, `must not be above the maximum of ${most}`);
    }
  }
  for (const { id, maxStorageHm3, filling } of hydros) {
    if (stored.has(id) || maxStorageHm3 === 0 || filling !== undefined) continue;
    issues.warning(
      "physics",
      { file, entity: `hydro ${id}`, field: "storage" },
      "is missing, so the plant starts empty",
      "give value_hm3",
    );
  }
  const known = new Set<number>();
  for (const { hydroId, valuesM3s } of input.pastInflows ?? []) {
    const at = find(hydroId, "past_inflows", known);
    if (at !== undefined) pastInflowsM3s[at] = valuesM3s;
  }
  return { storageHm3, pastInflowsM3s };
}

function checkStorage(hydro: Hydro, value: number, issues: IssueCollector): void {
  const place = {
    file: CASE_FILES.initialConditions,
    entity: `hydro ${hydro.id}`,
    field: "storage.value_hm3",
  };
  const { minStorageHm3, maxStorageHm3 } = hydro;
  if (!(value >= 0)) issues.error("physics", place, `is ${value}`, "must not be below 0");
  else if (value < minStorageHm3) {
    issues.warning(
      "physics",
      place,
      `is ${value}, below the minimum of ${minStorageHm3}`,
      "the plant may stay below its minimum, at the cost storage_violation_below_cost for each hm3 and stage",
    );
  } else if (value > maxStorageHm3) {
    issues.warning(
      "physics",
      place,
      `is ${value}, outside ${minStorageHm3} to ${maxStorageHm3}`,
      "an initial storage outside its bounds can make the first stage infeasible",
    );
  }
}
