import { CASE_FILES } from "../case-files.js";
import type { StageTable } from "../stage-table.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Life } from "./entities.js";

type Entity = Life & { readonly id: number };

/** For each stage, for each entity: whether it exists, from its entry to the stage before its exit. */
export type Lives = readonly (readonly boolean[])[];

/** Which entities exist in which stages. Reports those that leave before they come. */
export function buildLives(
  kind: "line" | "thermal" | "hydro",
  entities: readonly Entity[],
  stages: readonly Stage[],
  issues: IssueCollector,
): Lives {
  for (const { id, entryStageId, exitStageId } of entities) {
    if (entryStageId === undefined || exitStageId === undefined || entryStageId < exitStageId)
      continue;
    issues.error(
      "physics",
      { file: CASE_FILES[`${kind}s`], entity: `${kind} ${id}`, field: "exit_stage_id" },
      `is ${exitStageId}, not after entry_stage_id ${entryStageId}`,
      "must be after it: the exit is the first stage without the entity",
    );
  }
  return stages.map((stage) => entities.map((entity) => existsIn(entity, stage)));
}

function existsIn({ entryStageId, exitStageId }: Entity, { id }: Stage): boolean {
  return (
    (entryStageId === undefined || id >= entryStageId) &&
    (exitStageId === undefined || id < exitStageId)
  );
}

/** Sets values of the stages in which an entity does not exist. */
export function setWhereAbsent(
  lives: Lives,
  table: StageTable,
  value: number | ((entity: number) => number),
): void {
  lives.forEach((ofStage, stage) => {
    ofStage.forEach((exists, entity) => {
      if (!exists) table.set(stage, entity, typeof value === "number" ? value : value(entity));
    });
  });
}
