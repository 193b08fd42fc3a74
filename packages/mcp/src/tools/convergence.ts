/** The tool that tells whether training has gone on long enough. */
import { reportOf } from "@cobre/study";
import { z } from "zod";
import { Refusal } from "../refusal.js";
import { counted, dollars, money, runPath } from "./fields.js";
import { defineTool } from "./tool.js";

/** So many iterations are shown, evenly; always the last. */
const MOST_POINTS = 40;

export const getConvergence = defineTool({
  name: "get_convergence",
  title: "Has it converged?",
  description:
    "Tells how training went. The lower bound rises from iteration to iteration towards the best possible expected cost; when it hardly rises any more, more training will change little. The forward mean is the cost of the few futures tried in an iteration: a sample that scatters, not a bound. Also lists warnings about the run, each with what to do.",
  input: { run: runPath },
  output: {
    iterations: z.number(),
    termination: z.string().describe("Why training ended."),
    lower_bound: money.describe("$"),
    bound_rise_percent: z.number().nullable().describe("How much the bound rose lately, in %."),
    bound_rise_iterations: z.number().nullable().describe("In the last so many iterations."),
    recent_forward_mean: money.describe("$: mean of all futures tried lately."),
    recent_forward_ci95: money.describe("$: half the width of its 95 % interval."),
    is_risk_neutral: z
      .boolean()
      .describe(
        "Whether the bound may be compared with mean costs. With a risk measure it may not.",
      ),
    points: z.array(
      z.object({
        iteration: z.number(),
        lower_bound: money,
        forward_mean: money,
        cuts: z.number(),
      }),
    ),
    unit: z.literal("$"),
    warnings: z.array(z.object({ text: z.string(), remedy: z.string() })),
  },
  run: async ({ run: path }, context) => {
    const report = await reportOf(await context.run(path));
    const { convergence, run, warnings } = report;
    if (convergence === undefined || run.training === undefined) {
      throw new Refusal(
        `${path} has only a simulation`,
        "Ask for the run in which its policy was trained.",
      );
    }
    const count = convergence.iteration.length;
    const step = Math.max(1, Math.ceil(count / MOST_POINTS));
    const places = Array.from({ length: count }, (_, i) => i).filter(
      (i) => i === count - 1 || i % step === 0,
    );
    const { rise, recent } = convergence;
    const rose = rise
      ? ` The bound rose ${Number(rise.percent.toPrecision(2))} % in the last ${counted(rise.iterations, "iteration")}.`
      : "";
    return {
      summary: `${report.verdict} The lower bound is ${dollars(run.training.lowerBound)}.${rose}`,
      data: {
        iterations: run.training.iterations,
        termination: run.training.termination,
        lower_bound: run.training.lowerBound,
        bound_rise_percent: rise?.percent ?? null,
        bound_rise_iterations: rise?.iterations ?? null,
        recent_forward_mean: recent?.mean ?? null,
        recent_forward_ci95: recent?.ci95 ?? null,
        is_risk_neutral: run.isRiskNeutral,
        points: places.map((i) => ({
          iteration: convergence.iteration[i] as number,
          lower_bound: convergence.lowerBound[i] as number,
          forward_mean: convergence.forwardMean[i] as number,
          cuts: convergence.cuts[i] as number,
        })),
        unit: "$" as const,
        warnings: warnings.map(({ text, remedy }) => ({ text, remedy })),
      },
    };
  },
});
