import { CASE_FILES } from "./case-files.js";
import type { StudyInput } from "./study.js";
import type { DatedValue } from "./system/dated-values.js";
import type { IssueCollector } from "./validation/issue.js";

/** What plants have released, or were committed to, before the study. Cobre 0.5 looks at neither. */
export function pastValuesOf(
  { initialConditions, system, compat }: StudyInput,
  kind: "hydro" | "thermal",
  issues: IssueCollector,
): readonly DatedValue[] {
  const { pastDefluences = [], pastCommitments = [] } = initialConditions;
  const [values, field, plants, file] =
    kind === "hydro"
      ? ([pastDefluences, "past_defluences", system.hydros, CASE_FILES.hydros] as const)
      : ([
          pastCommitments,
          "past_anticipated_commitments",
          system.thermals,
          CASE_FILES.thermals,
        ] as const);
  for (const { id } of values) {
    if (plants.some((plant) => plant.id === id)) continue;
    const place = { file: CASE_FILES.initialConditions, entity: `${kind} ${id}`, field };
    const remedy = `give the id of a plant in ${file}`;
    issues.error("references", place, `${kind} ${id} does not exist`, remedy);
  }
  return compat === undefined ? values : [];
}
