import { CASE_FILES } from "../case-files.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Hydro } from "./entities.js";
import type { Plane } from "./production.js";
import type { PlaneRow } from "./production-input.js";

/** The planes that a case gives, by plant and stage. */
export class PlaneBook {
  /** By plant; the planes of all stages have the key `undefined`. */
  private readonly planes = new Map<number, Map<number | undefined, readonly Plane[]>>();

  /** Reports rows of plants and stages that do not exist, and planes without physical sense. */
  constructor(
    rows: readonly PlaneRow[],
    hydros: readonly Hydro[],
    stages: readonly Stage[],
    issues: IssueCollector,
  ) {
    const plants = new Set(hydros.map(({ id }) => id));
    const stageIds = new Set(stages.map(({ id }) => id));
    for (const row of [...rows].sort((a, b) => a.planeId - b.planeId)) {
      const { hydroId, stageId } = row;
      checkPlane(row, issues);
      if (!plants.has(hydroId)) {
        const remedy = "remove the row or correct hydro_id";
        const place = { ...placeOf(row), field: "hydro_id" };
        issues.error("references", place, `hydro ${hydroId} does not exist`, remedy);
      }
      if (stageId !== undefined && !stageIds.has(stageId)) {
        const remedy = "remove the row or correct stage_id";
        const place = { ...placeOf(row), field: "stage_id" };
        issues.error("references", place, `stage ${stageId} does not exist`, remedy);
      }
      const ofPlant = this.planes.get(hydroId) ?? new Map<number | undefined, readonly Plane[]>();
      this.planes.set(hydroId, ofPlant);
      ofPlant.set(stageId, [...(ofPlant.get(stageId) ?? []), planeOf(row)]);
    }
  }

  has(hydroId: number): boolean {
    return this.planes.has(hydroId);
  }

  /** Those of the stage, else those of all stages. */
  find(hydroId: number, stageId: number): readonly Plane[] | undefined {
    const ofPlant = this.planes.get(hydroId);
    return ofPlant?.get(stageId) ?? ofPlant?.get(undefined);
  }
}

/** κ multiplies γ0 only. */
function planeOf({ gamma0, gammaV, gammaQ, gammaS, kappa }: PlaneRow): Plane {
  return { constant: kappa * gamma0, volume: gammaV, turbined: gammaQ, spilled: gammaS };
}

function placeOf({ hydroId, stageId, planeId }: PlaneRow) {
  const stage = stageId === undefined ? "" : `, stage ${stageId}`;
  return { file: CASE_FILES.fphaPlanes, entity: `hydro ${hydroId}${stage}, plane ${planeId}` };
}

function checkPlane(row: PlaneRow, issues: IssueCollector): void {
  const { gammaV, gammaQ, gammaS, kappa } = row;
  const check = (isRight: boolean, field: string, value: number, remedy: string) => {
    if (!isRight) issues.error("physics", { ...placeOf(row), field }, `is ${value}`, remedy);
  };
  check(gammaV >= 0, "gamma_v", gammaV, "must not be below 0: more water gives more head");
  check(gammaQ > 0, "gamma_q", gammaQ, "must be above 0");
  check(gammaS <= 0, "gamma_s", gammaS, "must not be above 0: spillage takes head away");
  check(kappa > 0 && kappa <= 1, "kappa", kappa, "must be above 0 and at most 1");
}
