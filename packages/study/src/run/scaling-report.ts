import type { Case } from "@cobre/io";
import { COST_SCALE, type CoefficientRanges, type Range } from "@cobre/sddp";

/** Coefficients outside this range are worth a look when a solver has trouble. */
const USUAL: Range = { min: 1e-4, max: 1e7 };
const PARTS = ["matrix", "objective", "bounds", "rightHandSides"] as const;
const PART_NAMES = {
  matrix: "matrix",
  objective: "objective",
  bounds: "bounds",
  rightHandSides: "rhs",
} as const satisfies Record<(typeof PARTS)[number], string>;

/** `training/scaling_report.json`: the ranges of the coefficients in the programs, stage by stage and overall. */
export function scalingReport({ study }: Case, stages: readonly CoefficientRanges[]): object {
  const ranges = (of: (part: (typeof PARTS)[number]) => Range | undefined) =>
    Object.fromEntries(
      PARTS.map((part) => {
        const range = of(part);
        return [PART_NAMES[part], range ? { ...range, ratio: range.max / range.min } : null];
      }),
    );
  const overall = (part: (typeof PARTS)[number]): Range | undefined => {
    const found = stages.flatMap((stage) => stage[part] ?? []);
    if (found.length === 0) return undefined;
    return {
      min: Math.min(...found.map(({ min }) => min)),
      max: Math.max(...found.map(({ max }) => max)),
    };
  };
  const unusual = PARTS.filter((part) => {
    const range = overall(part);
    return range !== undefined && (range.min < USUAL.min || range.max > USUAL.max);
  });
  return {
    version: "1.0",
    cost_scale_factor: COST_SCALE,
    usual_range: USUAL,
    unusual: unusual.map((part) => PART_NAMES[part]),
    summary: ranges(overall),
    stages: stages.map(({ stage, columns, rows, nonzeros, ...found }) => ({
      stage_id: study.time.stages[stage]?.id,
      num_cols: columns,
      num_rows: rows,
      num_nz: nonzeros,
      ...ranges((part) => found[part]),
    })),
  };
}
