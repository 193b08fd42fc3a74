import { CASE_FILES } from "../case-files.js";
import type { StageTable } from "../stage-table.js";
import type { EnergyEquivalents } from "../system/energy-equivalents.js";
import type { Hydro } from "../system/entities.js";
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
  /** What is reckoned of a plant. */
  | {
      readonly kind: "computed";
      readonly tag: ComputedTag;
      readonly hydroId: number;
    }
);

/** What a parameter may be that is reckoned of a plant. */
export const COMPUTED_TAGS = [
  "min_storage",
  "max_storage",
  "equivalent_productivity",
  "accumulated_productivity",
  "integrated_equivalent_productivity",
  "integrated_accumulated_productivity",
  "max_stored_energy",
  "reference_volume",
  "reference_turbine",
  "specific_productivity",
] as const;

export type ComputedTag = (typeof COMPUTED_TAGS)[number];

function computed(
  tag: ComputedTag,
  { minStorageHm3: low, maxStorageHm3: high }: Hydro,
  of: (table: StageTable) => number,
  energy: EnergyEquivalents,
): number {
  switch (tag) {
    case "min_storage":
      return low;
    case "max_storage":
      return high;
    case "equivalent_productivity":
      return of(energy.equivalent);
    case "accumulated_productivity":
      return of(energy.accumulated);
    case "integrated_equivalent_productivity":
      return of(energy.integratedEquivalent);
    case "integrated_accumulated_productivity":
      return of(energy.integratedAccumulated);
    // In hm³ · MW/(m³/s), as the coefficients of volumes in a constraint are.
    case "max_stored_energy":
      return of(energy.integratedAccumulated) * (high - low);
    case "reference_volume":
      return of(energy.referenceVolume);
    case "reference_turbine":
      return of(energy.referenceTurbine);
    case "specific_productivity":
      return of(energy.specific);
  }
}

/** The values of a parameter: for each stage, for each block. NaN where it has none. */
export type ParameterValues = readonly Float64Array[];

/** Resolves parameters for all stages, by name, and reports what is wrong with them. */
export function buildParameters(
  inputs: readonly ParameterInput[],
  { hydros }: System,
  stages: readonly Stage[],
  energy: EnergyEquivalents,
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
    const index =
      input.kind === "computed" ? hydros.findIndex(({ id: one }) => one === input.hydroId) : -1;
    const plant = hydros[index];
    if (input.kind === "computed" && plant === undefined) {
      const remedy = `give the id of a plant in ${CASE_FILES.hydros}`;
      report("computed_spec.hydro_id", `hydro ${input.hydroId} does not exist`, remedy);
    }
    const valueIn = (
      { id: stageId, seasonId }: Stage,
      t: number,
      block: number,
    ): number | undefined => {
      switch (input.kind) {
        case "constant":
          return input.value;
        case "computed":
          return plant && computed(input.tag, plant, (table) => table.at(t, index), energy);
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
      stages.map((stage, t) =>
        Float64Array.from(stage.blocks, (_, block) => valueIn(stage, t, block) ?? Number.NaN),
      ),
    );
  }
  return parameters;
}
