/** The tool that holds two runs side by side. */
import { compareRuns, reportOf, summaryOfReport } from "@cobre/study";
import { z } from "zod";
import { dollars, runPath } from "./fields.js";
import { defineTool } from "./tool.js";

const quantity = z.object({
  name: z.string(),
  unit: z.string(),
  a: z.number().nullable(),
  b: z.number().nullable(),
  difference_percent: z.number().nullable().describe("From a to b."),
});

export const compareTool = defineTool({
  name: "compare_runs",
  title: "Compare two runs",
  description:
    "Holds two runs side by side: whether they have the same results bit for bit, and if not, by how much cost, generation, deficit and reservoirs differ. Use it for what-if questions: run the case, run a variant (vary_case), compare.",
  input: { a: runPath, b: runPath },
  output: {
    is_same: z.boolean().describe("Every result has the same bits."),
    first_difference: z.string().nullable(),
    quantities: z.array(quantity),
    intervals_overlap: z
      .boolean()
      .nullable()
      .describe(
        "Whether the 95 % intervals of the mean costs overlap: then the costs may be the same.",
      ),
  },
  run: async ({ a, b }, context) => {
    const [left, right] = [await context.run(a), await context.run(b)];
    const difference = await compareRuns(left.directory, right.directory).then(
      (comparison) => comparison.difference,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const [before, after] = [
      summaryOfReport(await reportOf(left)),
      summaryOfReport(await reportOf(right)),
    ];
    const sum = (
      of: typeof before,
      key: "load_mwh" | "hydro_mwh" | "thermal_mwh" | "deficit_mwh",
    ) =>
      of.stages.length === 0 ? null : of.stages.reduce((total, stage) => total + stage[key], 0);
    const rows = [
      line("lower bound", "$", before.lower_bound, after.lower_bound),
      line("iterations", "", before.iterations, after.iterations),
      line("mean simulated cost", "$", before.costs?.mean, after.costs?.mean),
      line("half of its 95 % interval", "$", before.costs?.ci95, after.costs?.ci95),
      line("cost exceeded in 5 % of the scenarios", "$", before.costs?.p95, after.costs?.p95),
      line("load", "MWh", sum(before, "load_mwh"), sum(after, "load_mwh")),
      line("hydro generation", "MWh", sum(before, "hydro_mwh"), sum(after, "hydro_mwh")),
      line("thermal generation", "MWh", sum(before, "thermal_mwh"), sum(after, "thermal_mwh")),
      line("deficit", "MWh", sum(before, "deficit_mwh"), sum(after, "deficit_mwh")),
      ...before.reservoirs.slice(0, 20).map((one) => {
        const other = after.reservoirs.find(({ id }) => id === one.id);
        return line(`median final storage of ${one.name}`, "hm3", one.final_hm3, other?.final_hm3);
      }),
    ].filter(({ a: x, b: y }) => x !== null || y !== null);
    const overlap = overlapOf(before.costs ?? null, after.costs ?? null);
    const costs = rows.find(({ name }) => name === "mean simulated cost");
    const told =
      difference === null
        ? `${a} and ${b} have the same results, bit for bit.`
        : costs === undefined
          ? `${a} and ${b} differ: ${difference}.`
          : `On average ${a} costs ${dollars(costs.a)} and ${b} costs ${dollars(costs.b)} (${percentText(costs.difference_percent)})${overlap ? "; their intervals overlap, so this may be chance" : ""}.`;
    return {
      summary: told.replaceAll(left.directory, a).replaceAll(right.directory, b),
      data: {
        is_same: difference === null,
        first_difference:
          difference?.replaceAll(left.directory, a).replaceAll(right.directory, b) ?? null,
        quantities: rows,
        intervals_overlap: overlap,
      },
    };
  },
});

function line(
  name: string,
  unit: string,
  a: number | null | undefined,
  b: number | null | undefined,
) {
  const [x, y] = [a ?? null, b ?? null];
  const percent = x === null || y === null || x === 0 ? null : (100 * (y - x)) / Math.abs(x);
  return { name, unit, a: x, b: y, difference_percent: percent };
}

interface Interval {
  readonly mean: number;
  readonly ci95: number | null;
}

function overlapOf(a: Interval | null, b: Interval | null): boolean | null {
  if (a === null || b === null || a.ci95 === null || b.ci95 === null) return null;
  return Math.abs(a.mean - b.mean) <= a.ci95 + b.ci95;
}

function percentText(percent: number | null): string {
  if (percent === null) return "no percentage";
  return `${percent > 0 ? "+" : ""}${Number(percent.toPrecision(2))} %`;
}
