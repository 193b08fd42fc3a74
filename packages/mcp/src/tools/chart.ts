/** The tool that draws. */
import { type ChartRequest, renderChart } from "@cobre/report";
import { reportOf } from "@cobre/study";
import { z } from "zod";
import { pngOf } from "../charts/png.js";
import { Refusal } from "../refusal.js";
import { runPath } from "./fields.js";
import { defineTool } from "./tool.js";

const KINDS = [
  "convergence",
  "costs",
  "generation",
  "storage",
  "water_value",
  "price",
  "value_function",
] as const satisfies readonly ChartRequest["kind"][];

/** An SVG that is longer is not put into an answer as text. */
const LONGEST_SVG = 40_000;

export const renderTool = defineTool({
  name: "render_chart",
  title: "Draw a chart",
  description:
    "Draws a chart of a run, as a PNG picture and as SVG text. convergence: the bound and the cost of the futures tried, by iteration. costs: how many scenarios cost how much. generation: where the power comes from, by stage. storage and water_value: of one hydro plant over the stages, with ribbons for how scenarios differ. price: of one bus. value_function: what later stages cost, by the storage of one reservoir at the end of one stage.",
  input: {
    run: runPath,
    chart: z.enum(KINDS),
    hydro: z
      .number()
      .int()
      .optional()
      .describe("The id of the hydro plant; for storage, water_value and value_function."),
    bus: z.number().int().optional().describe("The id of the bus; for price."),
    block: z
      .number()
      .int()
      .optional()
      .describe("The id of the block; for price. The first by default."),
    stage: z.number().int().optional().describe("The id of the stage; for value_function."),
    format: z.enum(["png", "svg", "both"]).default("png"),
  },
  output: {
    title: z.string(),
    svg: z.string().nullable().describe("null if it was not asked for or is too long."),
    has_png: z.boolean().describe("Whether a picture comes with this answer."),
    width: z.number(),
    height: z.number(),
  },
  run: async (args, context) => {
    const report = await reportOf(await context.run(args.run));
    const { title, svg } = drawn(report, requestOf(args));
    const png = args.format === "svg" ? undefined : await pngOf(svg);
    const wantsText = args.format !== "png" || png === undefined;
    const [, width = "0", height = "0"] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
    const none =
      args.format !== "svg" && png === undefined
        ? " No picture could be made, because this system has none of the fonts that are looked for; here is the SVG."
        : "";
    return {
      summary: `${title} (${args.run}).${none}`,
      png,
      data: {
        title,
        svg: wantsText && svg.length <= LONGEST_SVG ? svg : null,
        has_png: png !== undefined,
        width: Number(width),
        height: Number(height),
      },
    };
  },
});

type Report = Parameters<typeof renderChart>[0];

function drawn(report: Report, request: ChartRequest) {
  try {
    return renderChart(report, request);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "NoChart") throw error;
    throw new Refusal(error.message, "describe_case lists ids; run_status tells what the run has.");
  }
}

function requestOf(args: {
  readonly chart: ChartRequest["kind"];
  readonly hydro?: number | undefined;
  readonly bus?: number | undefined;
  readonly block?: number | undefined;
  readonly stage?: number | undefined;
}): ChartRequest {
  const needed = (value: number | undefined, name: string): number => {
    if (value !== undefined) return value;
    throw new Refusal(`the chart ${args.chart} needs \`${name}\``, "describe_case lists the ids.");
  };
  const kind = args.chart;
  switch (kind) {
    case "storage":
    case "water_value":
      return { kind, hydroId: needed(args.hydro, "hydro") };
    case "price":
      return { kind, busId: needed(args.bus, "bus"), blockId: args.block };
    case "value_function":
      return { kind, hydroId: needed(args.hydro, "hydro"), stageId: needed(args.stage, "stage") };
    default:
      return { kind };
  }
}
