import { StageTable, type StageTables } from "./stage-table.js";
import type { Stage } from "./time/stages.js";
import type { IssueCollector } from "./validation/issue.js";

/** Values that replace an entity's own in one stage. */
export interface OverrideRow<F extends string> {
  readonly id: number;
  readonly stageId: number;
  readonly values: Readonly<Partial<Record<F, number>>>;
}

/** What {@link resolveOverrides} needs to know about a kind of entity. */
export interface OverrideKind<F extends string> {
  readonly file: string;
  /** As in "thermal". */
  readonly kind: string;
  /** The name of each field's column. */
  readonly columns: Readonly<Record<F, string>>;
  /** Pairs of a minimum and a maximum. */
  readonly pairs?: readonly (readonly [NoInfer<F>, NoInfer<F>])[];
  /** Whether every value must be positive, as penalties must; otherwise values must not be negative. */
  readonly arePositive?: boolean;
  /** Exceptions from `arePositive`: fields that may be 0. */
  readonly mayBeZero?: readonly NoInfer<F>[];
  /** Fields that may be negative. */
  readonly mayBeNegative?: readonly NoInfer<F>[];
}

/** The values of each stage: the entity's own, unless a row overrides them. Rows may be in any order. */
export function resolveOverrides<F extends string>(
  {
    file,
    kind,
    columns,
    pairs = [],
    arePositive = false,
    mayBeZero = [],
    mayBeNegative = [],
  }: OverrideKind<F>,
  entities: readonly ({ readonly id: number } & Readonly<Record<F, number>>)[],
  stages: readonly Stage[],
  rows: readonly OverrideRow<F>[],
  issues: IssueCollector,
): StageTables<F> {
  const fields = Object.keys(columns) as F[];
  const tables = {} as Record<F, StageTable>;
  for (const field of fields) {
    const table = new StageTable(stages.length, entities.length);
    for (let stage = 0; stage < stages.length; stage++) {
      entities.forEach((entity, index) => {
        table.set(stage, index, entity[field]);
      });
    }
    tables[field] = table;
  }
  const entityIndex = new Map(entities.map(({ id }, index) => [id, index]));
  const stageIndex = new Map(stages.map(({ id }, index) => [id, index]));
  const touched = new Set<string>();
  for (const { id, stageId, values } of rows) {
    const place = { file, entity: `${kind} ${id}, stage ${stageId}` };
    const entity = entityIndex.get(id);
    const stage = stageIndex.get(stageId);
    if (entity === undefined) {
      issues.error(
        "references",
        place,
        `${kind} ${id} does not exist`,
        "remove the row or correct the id",
      );
    }
    if (stage === undefined) {
      issues.error(
        "references",
        place,
        `stage ${stageId} does not exist`,
        "remove the row or correct stage_id",
      );
    }
    if (entity === undefined || stage === undefined) continue;
    if (touched.has(`${entity} ${stage}`)) {
      issues.error(
        "references",
        place,
        "there are two rows for this entity and stage",
        "keep one of them",
      );
    }
    touched.add(`${entity} ${stage}`);
    for (const field of fields) {
      const value = values[field];
      if (value === undefined) continue;
      tables[field].set(stage, entity, value);
      const isAllowed = value === 0 && mayBeZero.includes(field);
      if (arePositive && !(value > 0) && !isAllowed) {
        issues.error(
          "physics",
          { ...place, field: columns[field] },
          `is ${value}`,
          "must be above 0",
        );
      } else if (value < 0 && !mayBeNegative.includes(field)) {
        issues.error(
          "physics",
          { ...place, field: columns[field] },
          `is ${value}`,
          "must not be below 0",
        );
      }
    }
    for (const [minimum, maximum] of pairs) {
      // A contradiction within the entity itself is reported where the entity is checked.
      if (values[minimum] === undefined && values[maximum] === undefined) continue;
      const lower = tables[minimum].at(stage, entity);
      const upper = tables[maximum].at(stage, entity);
      if (lower <= upper) continue;
      const field = values[maximum] === undefined ? columns[minimum] : columns[maximum];
      issues.error(
        "physics",
        { ...place, field },
        `leaves ${columns[minimum]} ${lower} above ${columns[maximum]} ${upper}`,
        "the maximum must not be below the minimum",
      );
    }
  }
  return tables;
}
