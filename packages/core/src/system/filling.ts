import { CASE_FILES } from "../case-files.js";
import type { OverrideRow } from "../overrides.js";
import type { StageTables } from "../stage-table.js";
import type { Stage, Timeline } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import { HYDRO_COLUMNS } from "./columns.js";
import type { Filling, Hydro } from "./entities.js";

type FillingPlant = Pick<Hydro, "entryStageId" | "exitStageId" | "filling">;

/** What a stage asks of a reservoir that is being filled. */
export interface FillingStage {
  /** The storage that is due at the end of the stage, in hm³; 0 or less: none. */
  readonly targetHm3: number;
  /** The most by which the storage may rise during the stage, in hm³. */
  readonly mostKeptHm3: number;
}

/** For each stage, for each plant; `undefined` where nothing is being filled. */
export type Fillings = readonly (readonly (FillingStage | undefined)[])[];

/** Whether the dam stands and the turbines do not turn yet. */
export function isFilling({ filling, entryStageId }: FillingPlant, { id }: Stage): boolean {
  return filling !== undefined && id >= filling.startStageId && id < (entryStageId ?? id);
}

/** The stages in which a plant has a reservoir: also those in which it is being filled. */
export function lifetimeOfReservoir({ filling, entryStageId, exitStageId }: FillingPlant) {
  return { entryStageId: filling?.startStageId ?? entryStageId, exitStageId };
}

/**
 * What is due in each stage, from the limits before they are cleared for plants that do not operate yet. The dead volume is due at the end of
 * the last stage of filling. With a least rate, each stage before owes less by what the later ones must add.
 */
export function buildFillings(
  hydros: readonly Hydro[],
  { stages, blockVolumes }: Pick<Timeline, "stages" | "blockVolumes">,
  tables: StageTables<"minStorageHm3" | "fillingMinRateM3s" | "fillingInflowM3s">,
): Fillings {
  const { minStorageHm3, fillingMinRateM3s, fillingInflowM3s } = tables;
  const volumeOf = (stage: number) => {
    let sum = 0;
    for (const volume of blockVolumes[stage] ?? []) sum += volume;
    return sum;
  };
  const ofPlants = hydros.map((hydro, h): readonly (FillingStage | undefined)[] => {
    const result: (FillingStage | undefined)[] = stages.map(() => undefined);
    let due: number | undefined;
    for (let t = stages.length - 1; t >= 0; t--) {
      if (!isFilling(hydro, stages[t] as Stage)) continue;
      const dead = minStorageHm3.at(t, h);
      const isLast = due === undefined;
      due ??= dead;
      const isLimited = hydro.filling?.inflowM3s !== undefined;
      result[t] = {
        targetHm3: isLimited && !isLast ? 0 : Math.min(due, dead),
        mostKeptHm3: isLimited ? fillingInflowM3s.at(t, h) * volumeOf(t) : Number.POSITIVE_INFINITY,
      };
      due -= fillingMinRateM3s.at(t, h) * volumeOf(t);
    }
    return result;
  });
  return stages.map((_, t) => ofPlants.map((ofPlant) => ofPlant[t]));
}

/** The filling must begin and end within the study. */
export function checkFilling(
  { id, filling, entryStageId }: Hydro,
  { stages, graph }: Pick<Timeline, "stages" | "graph">,
  issues: IssueCollector,
): void {
  if (filling === undefined) return;
  const place = (field: string) => ({ file: CASE_FILES.hydros, entity: `hydro ${id}`, field });
  if (graph.isCyclic) {
    const remedy = "a reservoir is filled once: give a finite horizon, or remove filling";
    issues.error("physics", place("filling"), "stands in a cyclic horizon", remedy);
  }
  const isThere = (stageId: number) => stages.some((stage) => stage.id === stageId);
  if (entryStageId === undefined) {
    const remedy = "give the stage in which the plant begins to operate";
    issues.error("physics", place("entry_stage_id"), "is missing beside filling", remedy);
    return;
  }
  for (const [field, stageId] of [
    ["filling.start_stage_id", filling.startStageId],
    ["entry_stage_id", entryStageId],
  ] as const) {
    if (isThere(stageId)) continue;
    const remedy = "a reservoir must be filled within the study: give the id of a stage";
    issues.error("references", place(field), `stage ${stageId} does not exist`, remedy);
  }
  if (filling.startStageId >= entryStageId) {
    issues.error(
      "physics",
      place("filling.start_stage_id"),
      `is ${filling.startStageId}, and entry_stage_id is ${entryStageId}`,
      "the filling must begin before the plant operates",
    );
  }
}

/** Reports rates of plants that are not filled, or not by such a rate: they would have no effect. */
export function checkFillingRows(
  rows: readonly OverrideRow<keyof typeof HYDRO_COLUMNS>[],
  hydros: readonly Hydro[],
  issues: IssueCollector,
): void {
  const fields = {
    fillingMinRateM3s: (filling: Filling) => filling.inflowM3s === undefined,
    fillingInflowM3s: (filling: Filling) => filling.inflowM3s !== undefined,
  };
  for (const { id, stageId, values } of rows) {
    const hydro = hydros.find((candidate) => candidate.id === id);
    if (hydro === undefined) continue;
    for (const [field, isUsed] of Object.entries(fields)) {
      const value = values[field as keyof typeof fields];
      if (!(value !== undefined && value > 0)) continue;
      if (hydro.filling !== undefined && isUsed(hydro.filling)) continue;
      issues.error(
        "references",
        {
          file: CASE_FILES.hydroBounds,
          entity: `hydro ${id}, stage ${stageId}`,
          field: HYDRO_COLUMNS[field as keyof typeof fields],
        },
        "the plant is not filled by it",
        `leave the cell empty, or give it in filling of the plant in ${CASE_FILES.hydros}`,
      );
    }
  }
}
