import { CASE_FILES } from "../case-files.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Hydro } from "./entities.js";
import type { ProductivityRow } from "./production-input.js";

/** The productivities of `system/hydro_energy_productivity.parquet`, by plant and stage. */
export class ProductivityBook {
  private readonly rows: readonly ProductivityRow[];
  private readonly issues: IssueCollector;

  constructor(
    rows: readonly ProductivityRow[],
    hydros: readonly Hydro[],
    stages: readonly Stage[],
    issues: IssueCollector,
  ) {
    this.rows = rows;
    this.issues = issues;
    const file = CASE_FILES.energyProductivity;
    for (const { hydroId, stageId } of rows) {
      const place = { file, entity: `hydro ${hydroId}` };
      if (!hydros.some(({ id }) => id === hydroId)) {
        const remedy = `give the id of a plant in ${CASE_FILES.hydros}`;
        issues.error("references", place, `hydro ${hydroId} does not exist`, remedy);
      }
      if (stageId !== undefined && !stages.some(({ id }) => id === stageId)) {
        const remedy = "remove the row or correct stage_id";
        issues.error("references", place, `stage ${stageId} does not exist`, remedy);
      }
    }
  }

  /**
   * The productivity of a plant in a stage: that of a row, or else `own`. There must not be both.
   *
   * @param own what `system/hydro_production_models.json` says
   */
  find(hydroId: number, { id }: Stage, own: number | undefined): number | undefined {
    const ofPlant = this.rows.filter(
      (row) => row.hydroId === hydroId && row.productivity !== undefined,
    );
    const row =
      ofPlant.find(({ stageId }) => stageId === id) ??
      ofPlant.find(({ stageId }) => stageId === undefined);
    if (row === undefined || own === undefined) return row?.productivity ?? own;
    this.issues.error(
      "references",
      { file: CASE_FILES.energyProductivity, entity: `hydro ${hydroId}, stage ${id}` },
      `${CASE_FILES.productionModels} gives a productivity, too`,
      "keep one of them",
    );
    return own;
  }
}
