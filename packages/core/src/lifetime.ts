import type { StageTable } from "./stage-table.js";
import type { SystemInput } from "./system/system.js";
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

/** Sets limits in the stages in which their entities do not exist. */
export function setOutsideLifetimes(
  entities: readonly Lifetime[],
  stages: readonly Stage[],
  limits: readonly StageTable[],
  value: (entity: number) => number = () => 0,
): void {
  entities.forEach((entity, index) => {
    stages.forEach((stage, t) => {
      if (existsIn(entity, stage)) return;
      for (const limit of limits) limit.setAll(t, index, value(index));
    });
  });
}

/**
 * Plants and lines as Cobre 0.5 has them: they exist in all stages, no reservoir is filled, no water takes time, and nothing is
 * committed ahead.
 */
export function withoutLifetimes(system: SystemInput): SystemInput {
  const always = { entryStageId: undefined, exitStageId: undefined };
  return {
    ...system,
    lines: system.lines.map((line) => ({ ...line, ...always })),
    thermals: system.thermals.map((thermal) => ({ ...thermal, ...always, lead: undefined })),
    hydros: system.hydros.map((hydro) => ({
      ...hydro,
      ...always,
      filling: undefined,
      travelTimeHours: undefined,
    })),
  };
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
