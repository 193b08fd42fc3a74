import { CASE_FILES } from "../case-files.js";
import type { System } from "../system/system.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";

/** A number with a name, as `constraints/generic_parameters.json` gives it. */
export type ParameterInput = {
  readonly id: number;
  readonly name: string;
} & (
  | { readonly kind: "constant"; readonly value: number }
  /** By stage id, or by season id. */
  | {
      readonly kind: "per_stage" | "seasonal";
      readonly values: readonly (readonly [key: number, value: number])[];
    }
  | {
      readonly kind: "per_stage_block";
      readonly values: readonly (readonly [stageId: number, blockId: number, value: number])[];
    }
  /** A limit of a plant. */
  | {
      readonly kind: "computed";
      readonly tag: "min_storage" | "max_storage";
      readonly hydroId: number;
    }
);

/** The values of a parameter: for each stage, for each block. NaN where it has none. */
export type ParameterValues = readonly Float64Array[];

/** Resolves parameters for all stages, by name, and reports what is wrong with them. */
export function buildParameters(
  inputs: readonly ParameterInput[],
  { hydros }: System,
  stages: readonly Stage[],
  issues: IssueCollector,
): ReadonlyMap<string, ParameterValues> {
  const parameters = new Map<string, ParameterValues>();
  const ids = new Set<number>();
  for (const input of inputs) {
    const { id, name } = input;
    const report = (field: string, problem: string, remedy: string) =>
      issues.error(
        "references",
        { file: CASE_FILES.genericParameters, entity: `parameter "${name}"`, field },
        problem,
        remedy,
      );
    if (ids.has(id)) report("id", `${id} is the id of two parameters`, "ids must be unique");
    if (parameters.has(name)) report("name", "is that of two parameters", "names must be unique");
    ids.add(id);
    const plant =
      input.kind === "computed" ? hydros.find((one) => one.id === input.hydroId) : undefined;
    if (input.kind === "computed" && plant === undefined) {
      const remedy = `give the id of a plant in ${CASE_FILES.hydros}`;
      report("computed_spec.hydro_id", `hydro ${input.hydroId} does not exist`, remedy);
    }
    const valueIn = ({ id: stageId, seasonId }: Stage, block: number): number | undefined => {
      switch (input.kind) {
        case "constant":
          return input.value;
        case "computed":
          return input.tag === "min_storage" ? plant?.minStorageHm3 : plant?.maxStorageHm3;
        case "per_stage_block":
          return input.values.find(([at, of]) => at === stageId && of === block)?.[2];
        default: {
          const key = input.kind === "per_stage" ? stageId : seasonId;
          return input.values.find(([at]) => at === key)?.[1];
        }
      }
    };
    parameters.set(
      name,
      stages.map((stage) =>
        Float64Array.from(stage.blocks, (_, block) => valueIn(stage, block) ?? Number.NaN),
      ),
    );
  }
  return parameters;
}
