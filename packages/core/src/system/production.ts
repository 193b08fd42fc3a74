import { CASE_FILES } from "../case-files.js";
import { StageTable } from "../stage-table.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Hydro } from "./entities.js";
import { PlaneBook } from "./plane-book.js";
import type { FittedPlanes, PlaneFitter } from "./plane-fitter.js";
import type {
  PlaneRow,
  ProductionChoice,
  ProductionModelInput,
  ProductivityRow,
} from "./production-input.js";
import { ProductivityBook } from "./productivity-book.js";

/**
 * A limit of generation: at most constant + volume · (mean storage) + turbined · (turbined flow) + spilled · (spillage), in MW, hm³ and m³/s.
 */
export interface Plane {
  readonly constant: number;
  readonly volume: number;
  readonly turbined: number;
  readonly spilled: number;
}

/** How each plant generates in each stage: with a constant productivity, or below the planes of a production function. */
export interface Production {
  /** In MW per m³/s; NaN where planes hold. */
  readonly productivity: StageTable;
  /** For each stage, for each plant; without planes where the productivity is constant. */
  readonly planes: readonly (readonly (readonly Plane[] | undefined)[])[];
  /** The planes that were fitted. */
  readonly fits: readonly FittedPlanes[];
}

/** What the production of plants is resolved from. */
export interface ProductionInput {
  readonly models: readonly ProductionModelInput[];
  readonly planes: readonly PlaneRow[];
  /** In a case for Cobre 0.18, where plants have no productivity of their own and may have one of 0. */
  readonly productivities?: readonly ProductivityRow[] | undefined;
}

/** Resolves how each plant generates in each stage, and reports what is wrong. */
export function buildProduction(
  { models, planes: rows, productivities }: ProductionInput,
  hydros: readonly Hydro[],
  stages: readonly Stage[],
  fitter: PlaneFitter,
  issues: IssueCollector,
): Production {
  const entries = entriesById(models, hydros, productivities !== undefined, issues);
  const tabled = new ProductivityBook(productivities ?? [], hydros, stages, issues);
  const book = new PlaneBook(rows, hydros, stages, issues);
  const productivity = new StageTable(stages.length, hydros.length);
  const planes = stages.map((): (readonly Plane[] | undefined)[] => hydros.map(() => undefined));
  hydros.forEach((hydro, h) => {
    const entry = entries.get(hydro.id);
    let usesBook = false;
    const uncovered: number[] = [];
    const withoutPlanes: number[] = [];
    stages.forEach((stage, t) => {
      const choice = choiceIn(entry, stage);
      if (choice?.model === "fpha") {
        const isFitted = choice.fpha?.source === "computed";
        const found = isFitted
          ? fitter.fit(hydro, choice.fpha, stage)?.planes
          : book.find(hydro.id, stage.id);
        if (found === undefined && !isFitted) withoutPlanes.push(stage.id);
        usesBook ||= !isFitted;
        (planes[t] as (readonly Plane[] | undefined)[])[h] = found ?? [];
        productivity.set(t, h, Number.NaN);
        return;
      }
      const value =
        tabled.find(hydro.id, stage, choice?.productivity) ?? hydro.productivityMwPerM3s;
      if (value === undefined) uncovered.push(stage.id);
      productivity.set(t, h, value ?? 0);
    });
    if (book.has(hydro.id) && !usesBook) {
      issues.warning(
        "references",
        { file: CASE_FILES.fphaPlanes, entity: `hydro ${hydro.id}` },
        "has no effect: no stage of the plant uses given planes",
        `give it the model fpha with the source precomputed in ${CASE_FILES.productionModels}, or remove its rows`,
      );
    }
    if (productivities !== undefined) reportWithout(hydro, uncovered, issues);
    else reportUncovered(hydro, entry !== undefined, uncovered, issues);
    if (withoutPlanes.length > 0) {
      issues.error(
        "references",
        { file: CASE_FILES.fphaPlanes, entity: `hydro ${hydro.id}` },
        `there is no plane for ${stageList(withoutPlanes)}`,
        "give rows with that stage_id, or rows without stage_id for all stages",
      );
    }
  });
  return { productivity, planes, fits: fitter.fits };
}

/** What an entry says about a stage: the first range or season that holds. */
export function choiceIn(
  entry: ProductionModelInput | undefined,
  { id, seasonId }: Stage,
): ProductionChoice | undefined {
  if (entry === undefined) return undefined;
  const { ranges, seasons } = entry;
  if (seasons !== undefined) {
    return seasons.list.find((season) => season.seasonId === seasonId) ?? seasons.otherwise;
  }
  return ranges.find(
    ({ startStageId, endStageId }) =>
      startStageId <= id && id <= (endStageId ?? Number.POSITIVE_INFINITY),
  );
}

function entriesById(
  models: readonly ProductionModelInput[],
  hydros: readonly Hydro[],
  mayBeZero: boolean,
  issues: IssueCollector,
): ReadonlyMap<number, ProductionModelInput> {
  const known = new Set(hydros.map(({ id }) => id));
  const entries = new Map<number, ProductionModelInput>();
  for (const entry of models) {
    const place = {
      file: CASE_FILES.productionModels,
      entity: `hydro ${entry.hydroId}`,
      field: "hydro_id",
    };
    if (!known.has(entry.hydroId)) {
      const remedy = `give the id of a plant in ${CASE_FILES.hydros}`;
      issues.error("references", place, `hydro ${entry.hydroId} does not exist`, remedy);
    }
    if (entries.has(entry.hydroId)) {
      issues.error("references", place, "the plant has two entries", "keep one of them");
    }
    entries.set(entry.hydroId, entry);
    checkRanges(entry, mayBeZero, issues);
  }
  return entries;
}

function checkRanges(
  { hydroId, ranges, seasons }: ProductionModelInput,
  mayBeZero: boolean,
  issues: IssueCollector,
) {
  const at = (field: string) => ({
    file: CASE_FILES.productionModels,
    entity: `hydro ${hydroId}`,
    field,
  });
  const checkChoice = ({ model, productivity }: ProductionChoice, field: string) => {
    if (productivity === undefined) return;
    const place = at(`${field}.productivity_override`);
    if (model === "fpha") {
      const remedy = "remove it, or give the model constant_productivity";
      issues.error("physics", place, "is given beside the model fpha, which has planes", remedy);
    } else if (!(productivity > 0 || (mayBeZero && productivity === 0))) {
      const remedy = mayBeZero ? "must not be below 0" : "must be above 0";
      issues.error("physics", place, `is ${productivity}`, remedy);
    }
  };
  ranges.forEach((range, i) => {
    const { startStageId, endStageId } = range;
    checkChoice(range, `stage_ranges[${i}]`);
    if (endStageId === undefined || startStageId <= endStageId) return;
    issues.error(
      "physics",
      at(`stage_ranges[${i}].end_stage_id`),
      `is ${endStageId}, before start_stage_id ${startStageId}`,
      "must not be before it; null leaves the range open",
    );
  });
  seasons?.list.forEach((season, i) => {
    checkChoice(season, `seasons[${i}]`);
  });
}

/** In a case for Cobre 0.18 every stage of a plant without planes needs a productivity. */
function reportWithout({ id }: Hydro, without: readonly number[], issues: IssueCollector): void {
  if (without.length === 0) return;
  issues.error(
    "references",
    { file: CASE_FILES.productionModels, entity: `hydro ${id}` },
    `nothing says how the plant generates in ${stageList(without)}`,
    `give productivity_mw_per_m3s, or the model fpha, or a row in ${CASE_FILES.energyProductivity}`,
  );
}

/** A plant with the model fpha has no productivity to fall back on. */
function reportUncovered(
  { id }: Hydro,
  hasEntry: boolean,
  uncovered: readonly number[],
  issues: IssueCollector,
): void {
  if (uncovered.length === 0) return;
  if (hasEntry) {
    issues.error(
      "references",
      { file: CASE_FILES.productionModels, entity: `hydro ${id}` },
      `says nothing about ${stageList(uncovered)}, and the plant has no productivity of its own`,
      `give a range or season for them, or generation.productivity_mw_per_m3s in ${CASE_FILES.hydros}`,
    );
    return;
  }
  issues.error(
    "references",
    { file: CASE_FILES.hydros, entity: `hydro ${id}`, field: "generation.model" },
    "is fpha, but nothing says where its planes come from",
    `give the plant an entry in ${CASE_FILES.productionModels}`,
  );
}

export function stageList(ids: readonly number[]): string {
  const shown = ids.slice(0, 5).join(", ");
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : "";
  return `${ids.length === 1 ? "stage" : "stages"} ${shown}${more}`;
}
