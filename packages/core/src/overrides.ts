import { StageTable, type StageTables } from "./stage-table.js";
import type { Stage } from "./time/stages.js";
import type { IssueCollector, IssuePlace } from "./validation/issue.js";

/** Values that replace an entity's own in one stage, or in one block of it. */
export interface OverrideRow<F extends string> {
  readonly id: number;
  readonly stageId: number;
  /** `undefined`: the whole stage. */
  readonly blockId?: number | undefined;
  readonly values: Readonly<Partial<Record<F, number>>>;
}

/** What {@link resolveOverrides} needs to know about a kind of entity. */
export interface OverrideKind<F extends string> {
  readonly file: string;
  /** As in "thermal". */
  readonly kind: string;
  /** The column with the id of the entity. */
  readonly idColumn: string;
  /** What messages call an entity; without it its kind and id. */
  readonly nameOf?: (id: number) => string;
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
  /** Fields that may differ from block to block. */
  readonly ofBlocks?: readonly NoInfer<F>[];
}

/** The values of each stage: the entity's own, unless a row overrides them; a row of a block wins over one of its stage. Rows may be in any order. */
export function resolveOverrides<F extends string>(
  kind: OverrideKind<F>,
  entities: readonly ({ readonly id: number } & Readonly<Record<F, number>>)[],
  stages: readonly Stage[],
  rows: readonly OverrideRow<F>[],
  issues: IssueCollector,
): StageTables<F> {
  const tables = tablesOf(kind, entities, stages);
  const entityIndex = new Map(entities.map(({ id }, index) => [id, index]));
  const stageIndex = new Map(stages.map(({ id }, index) => [id, index]));
  const touched = new Set<string>();
  const isOfBlock = ({ blockId }: OverrideRow<F>) => blockId !== undefined;
  // Those of blocks last: their limits are checked against those of their stage.
  const inOrder = [...rows.filter((row) => !isOfBlock(row)), ...rows.filter(isOfBlock)];
  for (const row of inOrder) {
    const { id, stageId, blockId } = row;
    const ofBlock = blockId === undefined ? "" : `, block ${blockId}`;
    const name = kind.nameOf?.(id) ?? `${kind.kind} ${id}`;
    const place = { file: kind.file, entity: `${name}, stage ${stageId}${ofBlock}` };
    const entity = entityIndex.get(id);
    const stage = stageIndex.get(stageId);
    if (entity === undefined) {
      issues.error(
        "references",
        { ...place, field: kind.idColumn },
        `${kind.kind} ${id} does not exist`,
        "remove the row or correct the id",
      );
    }
    if (stage === undefined) {
      issues.error(
        "references",
        { ...place, field: "stage_id" },
        `stage ${stageId} does not exist`,
        "remove the row or correct stage_id",
      );
    }
    if (entity === undefined || stage === undefined) continue;
    const blocks = stages[stage]?.blocks.length as number;
    if (blockId !== undefined && !(blockId >= 0 && blockId < blocks)) {
      const remedy = `stage ${stageId} has blocks 0 to ${blocks - 1}`;
      issues.error("references", { ...place, field: "block_id" }, "does not exist", remedy);
      continue;
    }
    if (touched.has(`${entity} ${stage} ${blockId}`)) {
      const what = blockId === undefined ? "entity and stage" : "entity, stage and block";
      const problem = `there are two rows for this ${what}`;
      const field = blockId === undefined ? "stage_id" : "block_id";
      issues.error("references", { ...place, field }, problem, "keep one of them");
    }
    touched.add(`${entity} ${stage} ${blockId}`);
    setValues(kind, tables, row, stage, entity, place, issues);
    checkPairs(kind, tables, row, stage, entity, place, issues);
  }
  return tables;
}

/** The entities' own values in every stage. */
function tablesOf<F extends string>(
  { columns }: OverrideKind<F>,
  entities: readonly Readonly<Record<F, number>>[],
  stages: readonly Stage[],
): Record<F, StageTable> {
  const tables = {} as Record<F, StageTable>;
  for (const field of Object.keys(columns) as F[]) {
    const table = new StageTable(stages.length, entities.length);
    for (let stage = 0; stage < stages.length; stage++) {
      entities.forEach((entity, index) => {
        table.set(stage, index, entity[field]);
      });
    }
    tables[field] = table;
  }
  return tables;
}

function setValues<F extends string>(
  kind: OverrideKind<F>,
  tables: StageTables<F>,
  { values, blockId }: OverrideRow<F>,
  stage: number,
  entity: number,
  place: IssuePlace,
  issues: IssueCollector,
): void {
  const { columns, arePositive = false, mayBeZero = [], mayBeNegative = [], ofBlocks = [] } = kind;
  for (const field of Object.keys(columns) as F[]) {
    const value = values[field];
    if (value === undefined) continue;
    const at = { ...place, field: columns[field] };
    if (blockId === undefined) tables[field].set(stage, entity, value);
    else if (ofBlocks.includes(field)) tables[field].setBlock(stage, entity, blockId, value);
    else {
      const remedy = "leave the cell empty, and give it in a row without block_id";
      issues.error("physics", at, "is the same in all blocks of a stage", remedy);
    }
    const isAllowed = value === 0 && mayBeZero.includes(field);
    if (arePositive && !(value > 0) && !isAllowed) {
      issues.error("physics", at, `is ${value}`, "must be above 0");
    } else if (value < 0 && !mayBeNegative.includes(field)) {
      issues.error("physics", at, `is ${value}`, "must not be below 0");
    }
  }
}

function checkPairs<F extends string>(
  { columns, pairs = [] }: OverrideKind<F>,
  tables: StageTables<F>,
  { values, blockId }: OverrideRow<F>,
  stage: number,
  entity: number,
  place: IssuePlace,
  issues: IssueCollector,
): void {
  for (const [minimum, maximum] of pairs) {
    // A contradiction within the entity itself is reported where the entity is checked.
    if (values[minimum] === undefined && values[maximum] === undefined) continue;
    const lower = tables[minimum].at(stage, entity, blockId);
    const upper = tables[maximum].at(stage, entity, blockId);
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
