import { CASE_FILES } from "./case-files.js";
import type { Stage } from "./time/stages.js";
import type { IssueCollector } from "./validation/issue.js";

/** The factors of an entity in the blocks of a stage. */
export interface BlockFactorInput<F extends string> {
  readonly id: number;
  readonly stageId: number;
  readonly blocks: readonly ({ readonly blockId: number } & Readonly<Record<F, number>>)[];
}

/** What {@link resolveBlockFactors} needs to know about a kind of entity. */
export interface BlockFactorKind<F extends string> {
  readonly file: string;
  /** As in "bus". */
  readonly kind: string;
  readonly idField: string;
  /** The file that holds the entities. */
  readonly entityFile: string;
  /** The name of each factor in the file. */
  readonly fields: Readonly<Record<F, string>>;
  readonly mayBeZero: boolean;
}

/** For each factor and stage: [entity · blocks + block]; 1 where no factor is given. */
export function resolveBlockFactors<F extends string>(
  kind: BlockFactorKind<F>,
  input: readonly BlockFactorInput<F>[],
  entities: readonly { readonly id: number }[],
  stages: readonly Stage[],
  issues: IssueCollector,
): Readonly<Record<F, readonly Float64Array[]>> {
  const fields = Object.keys(kind.fields) as F[];
  const all = Object.fromEntries(
    fields.map((field) => [
      field,
      stages.map(({ blocks }) => new Float64Array(entities.length * blocks.length).fill(1)),
    ]),
  ) as Record<F, Float64Array[]>;
  const entityIndex = new Map(entities.map(({ id }, index) => [id, index]));
  const stageIndex = new Map(stages.map(({ id }, index) => [id, index]));
  const seen = new Set<string>();
  for (const { id, stageId, blocks: factors } of input) {
    const place = { file: kind.file, entity: `${kind.kind} ${id}, stage ${stageId}` };
    const entity = entityIndex.get(id);
    const stage = stageIndex.get(stageId);
    if (entity === undefined) {
      issues.error(
        "references",
        { ...place, field: kind.idField },
        `${kind.kind} ${id} does not exist`,
        `give the id of a ${kind.kind} in ${kind.entityFile}`,
      );
    }
    if (stage === undefined) {
      issues.error(
        "references",
        { ...place, field: "stage_id" },
        `stage ${stageId} does not exist`,
        `give the id of a stage in ${CASE_FILES.stages}`,
      );
    }
    if (entity === undefined || stage === undefined) continue;
    const blocks = stages[stage]?.blocks.length as number;
    for (const factor of factors) {
      const { blockId } = factor;
      const at = { ...place, field: `block_factors, block ${blockId}` };
      if (blockId >= blocks || blockId < 0) {
        issues.error(
          "references",
          at,
          "this block does not exist",
          `stage ${stageId} has blocks 0 to ${blocks - 1}`,
        );
        continue;
      }
      for (const field of fields) {
        const value = factor[field];
        if (!(kind.mayBeZero ? value >= 0 : value > 0)) {
          const remedy = kind.mayBeZero ? "must not be below 0" : "must be above 0";
          const name = kind.fields[field].replaceAll("_", " ");
          issues.error("physics", at, `the ${name} is ${value}`, remedy);
        }
        (all[field][stage] as Float64Array)[entity * blocks + blockId] = value;
      }
      if (seen.has(`${entity} ${stage} ${blockId}`)) {
        issues.error("references", at, "is given twice", "give it once");
      }
      seen.add(`${entity} ${stage} ${blockId}`);
    }
  }
  return all;
}
