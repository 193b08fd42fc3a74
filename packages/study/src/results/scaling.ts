import { OUTPUT_FILES } from "@cobre/io";
import type { JsonFields } from "./json-fields.js";
import type { RunFiles } from "./run-files.js";

/** The parts of a program whose coefficients are told apart. */
export const SCALING_PARTS = ["matrix", "objective", "bounds", "rhs"] as const;
export type ScalingPart = (typeof SCALING_PARTS)[number];

/** The smallest and the largest magnitude; `null` if all coefficients are 0. */
export type ScalingRange = { readonly min: number; readonly max: number } | null;

export type ScalingRanges = Readonly<Record<ScalingPart, ScalingRange>>;

/** `training/scaling_report.json`: the magnitudes of the coefficients in the programs. */
export interface ScalingReport {
  readonly usual: { readonly min: number; readonly max: number };
  /** The parts that go beyond the usual range. */
  readonly unusual: readonly ScalingPart[];
  readonly overall: ScalingRanges;
  readonly stages: readonly (ScalingRanges & {
    readonly stageId: number;
    readonly columns: number;
    readonly rows: number;
    readonly nonzeros: number;
  })[];
}

export async function readScaling(files: RunFiles): Promise<ScalingReport> {
  const fields = await files.json(OUTPUT_FILES.scaling);
  const unusual = fields.texts("unusual");
  return {
    usual: { min: fields.number("usual_range.min"), max: fields.number("usual_range.max") },
    unusual: SCALING_PARTS.filter((part) => unusual.includes(part)),
    overall: readRanges(fields.object("summary")),
    stages: fields.list("stages").map((stage) => ({
      stageId: stage.number("stage_id"),
      columns: stage.number("num_cols"),
      rows: stage.number("num_rows"),
      nonzeros: stage.number("num_nz"),
      ...readRanges(stage),
    })),
  };
}

function readRanges(fields: JsonFields): ScalingRanges {
  const range = (part: ScalingPart): ScalingRange => {
    const found = fields.objectOrNull(part);
    return found && { min: found.number("min"), max: found.number("max") };
  };
  return {
    matrix: range("matrix"),
    objective: range("objective"),
    bounds: range("bounds"),
    rhs: range("rhs"),
  };
}
