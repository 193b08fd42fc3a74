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
  const all = stages.map(({ blocks }) => new Float64Array(buses.length * blocks.length).fill(1));
  const busIndex = new Map(buses.map(({ id }, index) => [id, index]));
  const stageIndex = new Map(stages.map(({ id }, index) => [id, index]));
  const seen = new Set<string>();
  for (const { busId, stageId, factors } of input) {
    const place = { file: CASE_FILES.loadFactors, entity: `bus ${busId}, stage ${stageId}` };
    const bus = busIndex.get(busId);
    const stage = stageIndex.get(stageId);
    if (bus === undefined) {
      issues.error(
        "references",
        { ...place, field: "bus_id" },
        `bus ${busId} does not exist`,
        `give the id of a bus in ${CASE_FILES.buses}`,
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
    if (bus === undefined || stage === undefined) continue;
    const blocks = stages[stage]?.blocks.length as number;
    for (const { blockId, factor } of factors) {
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
      if (!(factor >= 0))
        issues.error("physics", at, `the factor is ${factor}`, "must not be below 0");
      if (seen.has(`${bus} ${stage} ${blockId}`)) {
        issues.error("references", at, "is given twice", "give it once");
      }
      seen.add(`${bus} ${stage} ${blockId}`);
      (all[stage] as Float64Array)[bus * blocks + blockId] = factor;
    }
  }
  return all;
}
