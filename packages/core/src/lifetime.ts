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
