import { CASE_FILES } from "../case-files.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Hydro } from "./entities.js";
import { type FphaFit, fitEnvelope, windowOf } from "./fpha-fit.js";
import { fitTangents } from "./fpha-tangents.js";
import type { Geometry } from "./geometry.js";
import type { FphaConfig } from "./production-input.js";

/** A fit, and the plant and stages that use it. */
export interface FittedPlanes extends FphaFit {
  readonly hydroId: number;
  readonly stageIds: number[];
}

/** Fits planes to the geometry of plants: once for each plant and each way to do it. */
export class PlaneFitter {
  readonly fits: FittedPlanes[] = [];
  private readonly known = new Map<string, FittedPlanes | undefined>();
  private readonly geometry: Geometry;
  private readonly isOf05: boolean;
  private readonly issues: IssueCollector;

  /** @param isOf05 whether to fit as Cobre 0.5 does */
  constructor(geometry: Geometry, isOf05: boolean, issues: IssueCollector) {
    this.geometry = geometry;
    this.isOf05 = isOf05;
    this.issues = issues;
  }

  /** The fit of a plant in a stage; `undefined` if something is missing for it, which has been reported. */
  fit(hydro: Hydro, config: FphaConfig, stage: Stage): FittedPlanes | undefined {
    const key = `${hydro.id} ${JSON.stringify(config)}`;
    if (!this.known.has(key)) {
      const made = this.isComplete(hydro, config) ? this.make(hydro, config) : undefined;
      this.known.set(key, made);
      if (made !== undefined) this.fits.push(made);
    }
    const found = this.known.get(key);
    found?.stageIds.push(stage.id);
    return found;
  }

  private make(hydro: Hydro, config: FphaConfig): FittedPlanes | undefined {
    const rows = this.geometry.get(hydro.id) ?? [];
    const fit = (this.isOf05 ? fitTangents : fitEnvelope)(hydro, rows, config);
    if (fit !== undefined) return { ...fit, hydroId: hydro.id, stageIds: [] };
    this.issues.error(
      "physics",
      { file: CASE_FILES.hydros, entity: `hydro ${hydro.id}` },
      "has no head that could generate, so that no planes can be fitted",
      `check its tailrace and losses against the heights in ${CASE_FILES.hydroGeometry}`,
    );
    return undefined;
  }

  private isComplete(hydro: Hydro, config: FphaConfig): boolean {
    const { issues } = this;
    const entity = `hydro ${hydro.id}`;
    const before = issues.errors.length;
    const rows = this.geometry.get(hydro.id) ?? [];
    if (rows.length < 2) {
      const problem = rows.length === 0 ? "there is no row" : "there is one row";
      const remedy = "fitted planes need the heights of two volumes at least";
      issues.error("references", { file: CASE_FILES.hydroGeometry, entity }, problem, remedy);
    } else {
      const [from, to] = windowOf(config, hydro, rows);
      if (!(from < to)) {
        const place = { file: CASE_FILES.productionModels, entity, field: "fitting_window" };
        const remedy = `leave a range within the volumes of ${CASE_FILES.hydroGeometry}`;
        issues.error("physics", place, `goes from ${from} to ${to} hm3`, remedy);
      }
    }
    for (const [field, value] of [
      ["tailrace", hydro.tailrace],
      ["hydraulic_losses", hydro.hydraulicLosses],
      ["efficiency", hydro.efficiency],
    ] as const) {
      if (value !== undefined) continue;
      const remedy = "planes are fitted from tailrace, hydraulic_losses and efficiency: give it";
      issues.error("references", { file: CASE_FILES.hydros, entity, field }, "is missing", remedy);
    }
    if (hydro.tailrace?.type === "piecewise") {
      const { points } = hydro.tailrace;
      const place = { file: CASE_FILES.hydros, entity, field: "tailrace.points" };
      if (points.length === 0) issues.error("schema", place, "is empty", "give at least one point");
      const repeated = points.find((point, i) => points[i + 1]?.outflowM3s === point.outflowM3s);
      if (repeated !== undefined) {
        const problem = `has two points at ${repeated.outflowM3s} m3/s`;
        issues.error("physics", place, problem, "keep one of them");
      }
    }
    if (!(hydro.maxTurbinedM3s > 0)) {
      const place = { file: CASE_FILES.hydros, entity, field: "generation.max_turbined_m3s" };
      issues.error("physics", place, "is 0", "planes are fitted up to it: it must be above 0");
    }
    return issues.errors.length === before;
  }
}
