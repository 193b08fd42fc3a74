import { CASE_FILES } from "../case-files.js";
import type { OverrideRow } from "../overrides.js";
import type { IssueCollector } from "../validation/issue.js";
import { HYDRO_COLUMNS } from "./columns.js";
import type { Hydro } from "./entities.js";

type Rows = readonly OverrideRow<keyof typeof HYDRO_COLUMNS>[];

/** Reports limits of diversions that do not exist, which would have no effect, and leaves them out. */
export function withPossibleDiversions(
  rows: Rows,
  hydros: readonly Hydro[],
  issues: IssueCollector,
): Rows {
  return rows.map((row) => {
    const { id, stageId, values } = row;
    const hydro = hydros.find((candidate) => candidate.id === id);
    if (hydro === undefined || hydro.diversion !== undefined) return row;
    const { minDiversionM3s, maxDiversionM3s, ...others } = values;
    for (const [field, value] of Object.entries({ minDiversionM3s, maxDiversionM3s })) {
      if (!(value !== undefined && value > 0)) continue;
      issues.error(
        "references",
        {
          file: CASE_FILES.hydroBounds,
          entity: `hydro ${id}, stage ${stageId}`,
          field: HYDRO_COLUMNS[field as "maxDiversionM3s"],
        },
        "the plant has no diversion",
        `leave the cell empty, or give the plant a diversion in ${CASE_FILES.hydros}`,
      );
    }
    return { ...row, values: others };
  });
}
