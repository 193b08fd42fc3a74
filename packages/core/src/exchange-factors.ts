import { type BlockFactorInput, resolveBlockFactors } from "./block-factors.js";
import { CASE_FILES } from "./case-files.js";
import type { StageTables } from "./stage-table.js";
import type { Line } from "./system/entities.js";
import type { Stage } from "./time/stages.js";
import type { IssueCollector } from "./validation/issue.js";

const FIELDS = { directMw: "direct_factor", reverseMw: "reverse_factor" } as const;
type Field = keyof typeof FIELDS;

/** Multiplies the capacities of lines in single blocks by factors. */
export function applyExchangeFactors(
  input: readonly BlockFactorInput<Field>[],
  lines: readonly Line[],
  capacities: StageTables<Field>,
  stages: readonly Stage[],
  issues: IssueCollector,
): void {
  const file = CASE_FILES.exchangeFactors;
  const factors = resolveBlockFactors(
    {
      file,
      kind: "line",
      idField: "line_id",
      entityFile: CASE_FILES.lines,
      fields: FIELDS,
      mayBeZero: false,
    },
    input,
    lines,
    stages,
    issues,
  );
  for (const field of Object.keys(FIELDS) as Field[]) {
    const table = capacities[field];
    stages.forEach(({ id: stageId, blocks }, stage) => {
      lines.forEach(({ id }, line) => {
        blocks.forEach((_, block) => {
          const factor = factors[field][stage]?.[line * blocks.length + block] as number;
          if (factor === 1) return;
          if (table.hasBlock(stage, line, block)) {
            issues.error(
              "physics",
              { file, entity: `line ${id}, stage ${stageId}`, field: `block ${block}` },
              `the block has a factor here and a capacity of its own in ${CASE_FILES.lineBounds}`,
              "keep one of them",
            );
          }
          table.setBlock(stage, line, block, table.at(stage, line, block) * factor);
        });
      });
    });
  }
}
