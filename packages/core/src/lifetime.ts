import type { StageTable } from "./stage-table.js";
import type { Stage } from "./time/stages.js";
import type { IssueCollector, IssuePlace } from "./validation/issue.js";

/** The stages in which an entity exists: from `entryStageId` to the one before `exitStageId`. Without them: always. */
export interface Lifetime {
  readonly entryStageId?: number | undefined;
  readonly exitStageId?: number | undefined;
}

/** Whether an entity exists in a stage. */
export function existsIn({ entryStageId, exitStageId }: Lifetime, { id }: Stage): boolean {
  return id >= (entryStageId ?? id) && id < (exitStageId ?? Number.POSITIVE_INFINITY);
}

/** Sets limits to 0 in the stages in which their entities do not exist. */
export function clearOutsideLifetimes(
  entities: readonly Lifetime[],
  stages: readonly Stage[],
  limits: readonly StageTable[],
): void {
  entities.forEach((entity, index) => {
    stages.forEach((stage, t) => {
      if (existsIn(entity, stage)) return;
      for (const limit of limits) limit.clear(t, index);
    });
  });
}

/** An entity must not leave before it has come. */
export function checkLifetime(
  { entryStageId, exitStageId }: Lifetime,
  place: IssuePlace,
  issues: IssueCollector,
): void {
  if (entryStageId === undefined || exitStageId === undefined) return;
  if (entryStageId < exitStageId) return;
  issues.error(
    "physics",
    { ...place, field: "exit_stage_id" },
    `is ${exitStageId}, and entry_stage_id is ${entryStageId}`,
    "the exit must be after the entry",
  );
}
