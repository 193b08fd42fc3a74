import { type BlockFactorInput, resolveBlockFactors } from "./block-factors.js";
import { CASE_FILES } from "./case-files.js";
import type { Bus } from "./system/entities.js";
import type { Stage } from "./time/stages.js";
import type { IssueCollector } from "./validation/issue.js";

/** The factors by which a bus's load is multiplied in the blocks of a stage. */
export interface LoadFactorInput {
  readonly busId: number;
  readonly stageId: number;
  readonly factors: readonly { readonly blockId: number; readonly factor: number }[];
}

/** For each stage: [bus · blocks + block]; 1 where no factor is given. */
export function buildLoadFactors(
  input: readonly LoadFactorInput[],
  buses: readonly Bus[],
  stages: readonly Stage[],
  issues: IssueCollector,
): readonly Float64Array[] {
  return resolveBlockFactors(
    {
      file: CASE_FILES.loadFactors,
      kind: "bus",
      idField: "bus_id",
      entityFile: CASE_FILES.buses,
      fields: { factor: "factor" },
      mayBeZero: true,
    },
    input.map(({ busId, stageId, factors }): BlockFactorInput<"factor"> => {
      return { id: busId, stageId, blocks: factors };
    }),
    buses,
    stages,
    issues,
  ).factor;
}
