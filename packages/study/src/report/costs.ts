import { COSTS } from "@cobre/io";
import type { Cube } from "./cube.js";
import { type Distribution, distributionOf } from "./distribution.js";
import type { SimulationSource } from "./simulation-source.js";

type CostColumn = keyof typeof COSTS;

/** Columns that are no kind of cost: sums of the others, and what is to come. */
const NO_KINDS: readonly CostColumn[] = [
  "total_cost",
  "immediate_cost",
  "future_cost",
  "hydro_violation_cost",
];

/** The kinds of cost: the columns of `simulation/costs` that add up to the cost of a stage; see below for that of curtailment. */
const KINDS = (Object.keys(COSTS) as CostColumn[]).filter(
  (name) => name.endsWith("_cost") && !NO_KINDS.includes(name),
);

const CURTAILMENT = KINDS.indexOf("curtailment_cost");

const COLUMNS = [
  "stage_id",
  "discount_factor",
  "immediate_cost",
  "future_cost",
  ...KINDS,
] as const satisfies readonly CostColumn[];

/** What the simulated scenarios cost, in $. */
export interface CostReport {
  /** The kinds that occur, as the columns of `simulation/costs` without `_cost`. */
  readonly kinds: readonly string[];
  /** By kind, stage and scenario, not discounted. */
  readonly byKind: Cube;
  /** The factors that discount the costs of each stage. */
  readonly discount: Float64Array;
  /** The discounted cost after the last stage, by scenario; 0 unless a boundary policy gives it. */
  readonly afterStudy: Float64Array;
  /** The discounted cost of each scenario. */
  readonly total: Float64Array;
  readonly distribution: Distribution;
}

export async function readCosts(source: SimulationSource): Promise<CostReport> {
  const stages = source.axes.stages.length;
  const scenarios = source.axes.scenarios.length;
  const all = source.cube(KINDS.length, 0);
  const discount = new Float64Array(stages);
  const afterStudy = new Float64Array(scenarios);
  const total = new Float64Array(scenarios);
  const hasSources = source.simulation.tables.includes("non_controllables");
  let s = 0;
  for await (const { rows, columns } of source.simulation.scenariosOf("costs", COLUMNS)) {
    for (let row = 0; row < rows; row++) {
      const stage = source.stages.of(columns.stage_id[row] as number);
      const factor = columns.discount_factor[row] as number;
      discount[stage] = factor;
      (total[s] as number) += factor * (columns.immediate_cost[row] as number);
      if (stage === stages - 1) afterStudy[s] = factor * (columns.future_cost[row] as number);
      let others = 0;
      for (let k = 0; k < KINDS.length; k++) {
        if (k === CURTAILMENT) continue;
        const cost = columns[KINDS[k] as CostColumn][row] as number;
        others += cost;
        all.add(k, stage, s, cost);
      }
      // The cost of a stage has what sources earn, in place of the cost of their curtailment.
      const earned = (columns.immediate_cost[row] as number) - others;
      if (hasSources) all.add(CURTAILMENT, stage, s, earned);
    }
    (total[s] as number) += afterStudy[s] as number;
    s++;
  }
  return {
    ...withoutZeros(all),
    discount,
    afterStudy,
    total,
    distribution: distributionOf(total, source.axes.probabilities),
  };
}

/** The kinds that cost something anywhere. */
function withoutZeros(all: Cube): Pick<CostReport, "kinds" | "byKind"> {
  const size = all.stages * all.scenarios;
  const parts = KINDS.map((name, k) => ({
    name: name.replace(/_cost$/, ""),
    values: all.values.subarray(k * size, (k + 1) * size),
  })).filter(({ values }) => values.some((value) => value !== 0));
  const byKind = all.alike(parts.length);
  parts.forEach(({ values }, k) => {
    byKind.values.set(values, k * size);
  });
  return { kinds: parts.map(({ name }) => name), byKind };
}
