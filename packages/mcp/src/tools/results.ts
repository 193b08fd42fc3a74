/** Tools that look into the results of a run. */
import { z } from "zod";
import { Refusal } from "../refusal.js";
import { explainStage } from "../results/explain.js";
import { answer, OPERATORS, QUERY_TABLES } from "../results/query.js";
import { STATISTICS } from "../results/statistics.js";
import { counted, dollars, money, runPath } from "./fields.js";
import { defineTool } from "./tool.js";

const LARGEST_PAGE = 200;
const MOST_BINDING = 80;

export const queryResults = defineTool({
  name: "query_results",
  title: "Ask the tables of results",
  description:
    "Reads a table of results, filtered, grouped and summarised, at most a page at a time. Simulation tables have a row for each scenario, stage, block (a part of the stage, such as peak hours) and entity: costs, hydros (storage, flows, generation, water values), thermals, exchanges (lines), buses (load, deficit, price), inflow_lags. Training tables: convergence, rank_timing. Prefer group_by with statistics to many rows, for instance group_by [stage_id] with the mean and p10 of storage_final_hm3. get_schema with `table` lists the columns of a table.",
  input: {
    run: runPath,
    table: z.enum(QUERY_TABLES),
    columns: z
      .array(z.string().max(100))
      .max(40)
      .optional()
      .describe("All by default; without group_by."),
    where: z
      .array(
        z.strictObject({
          column: z.string().max(100),
          is: z.enum(OPERATORS).default("="),
          value: z.number(),
        }),
      )
      .max(20)
      .default([])
      .describe("All of them must hold."),
    group_by: z.array(z.string().max(100)).max(5).default([]),
    statistics: z
      .array(z.strictObject({ column: z.string().max(100), of: z.enum(STATISTICS) }))
      .max(20)
      .default([])
      .describe("What to tell of each group; of all rows, without group_by."),
    order_by: z
      .strictObject({ column: z.string().max(100), descending: z.boolean().default(false) })
      .optional()
      .describe("A column of the answer: stage_id, or mean_storage_final_hm3."),
    offset: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(LARGEST_PAGE).default(50),
  },
  output: {
    columns: z.array(z.object({ name: z.string(), unit: z.string() })),
    rows: z
      .array(z.array(z.number().nullable()))
      .describe("In the order of the columns; null: no value."),
    total: z.number().describe("Rows or groups that match, on all pages."),
    next_offset: z
      .number()
      .nullable()
      .describe("Where the next page begins; null: this was the last."),
    names: z
      .record(z.string(), z.record(z.string(), z.string()))
      .describe("The names of plants, buses and lines, by id."),
  },
  run: async (args, context) => {
    const run = await context.run(args.run);
    if (args.group_by.length > 0 && args.statistics.length === 0) {
      throw new Refusal(
        "group_by without statistics tells nothing",
        'Add statistics, such as [{"column": "…", "of": "mean"}].',
      );
    }
    const found = await answer(run, {
      table: args.table,
      columns: args.columns,
      where: args.where,
      groupBy: args.group_by,
      statistics: args.statistics,
      orderBy: args.order_by,
      offset: args.offset,
      limit: args.limit,
    });
    const end = args.offset + found.rows.length;
    const columns = found.columns.map((name, i) => ({ name, unit: found.units[i] ?? "" }));
    const what = args.group_by.length > 0 ? "group" : "row";
    return {
      summary: `${counted(found.total, what)} of ${args.table} in ${args.run}${found.total > found.rows.length ? `; here are ${found.rows.length} from ${args.offset}` : ""}.`,
      data: {
        columns,
        rows: found.rows.map((row) => [...row]),
        total: found.total,
        next_offset: end < found.total ? end : null,
        names: await namesIn(run, found),
      },
    };
  },
});

const ID_COLUMNS = {
  hydro_id: "hydros",
  thermal_id: "thermals",
  bus_id: "buses",
  line_id: "lines",
} as const;

type OpenedRun = Awaited<ReturnType<Parameters<typeof explainStage>[0]["entities"]>>;

async function namesIn(
  run: { entities(): Promise<OpenedRun> },
  {
    columns,
    rows,
  }: { readonly columns: readonly string[]; readonly rows: readonly (readonly number[])[] },
): Promise<Record<string, Record<string, string>>> {
  const ids = columns.filter((name) => Object.hasOwn(ID_COLUMNS, name));
  if (ids.length === 0) return {};
  const entities = await run.entities();
  return Object.fromEntries(
    ids.map((name) => {
      const at = columns.indexOf(name);
      const wanted = new Set(rows.map((row) => row[at]));
      const all = entities[ID_COLUMNS[name as keyof typeof ID_COLUMNS]];
      const shown = all
        .filter(({ id }) => wanted.has(id))
        .map(({ id, name }) => [String(id), name]);
      return [name, Object.fromEntries(shown)];
    }),
  );
}

export const explainTool = defineTool({
  name: "explain_stage",
  title: "Explain a stage of a scenario",
  description:
    "Explains what happened in one stage of one simulated scenario: which limits hold the system back (a reservoir that is empty or full, a plant at full power, a line at its capacity, load that is not met), what one more MWh would cost at each bus (the price), and what one more hm³ of water would save in each reservoir (the water value).",
  input: {
    run: runPath,
    scenario: z.number().int().min(0).describe("Counted from 0."),
    stage: z.number().int().describe("The id of the stage."),
  },
  output: {
    costs: z.record(z.string(), money).describe("$ of this stage, by kind, not discounted."),
    future_cost: money.describe("$: what the policy expects of all later stages."),
    binding: z.array(
      z.object({
        entity: z.string(),
        kind: z.string(),
        block: z.number().nullable(),
        limit: z.string(),
        value: z.number(),
        unit: z.string(),
      }),
    ),
    prices: z.array(
      z.object({
        bus: z.string(),
        block: z.number().nullable(),
        price_per_mwh: money.describe("$/MWh"),
      }),
    ),
    water_values: z.array(
      z.object({
        hydro: z.string(),
        value_per_hm3: money.describe("$/hm3 that one more hm3 would save"),
        storage_initial_hm3: z.number().nullable(),
        storage_final_hm3: z.number().nullable(),
        inflow_m3s: z.number().nullable(),
      }),
    ),
    deficit_mwh: z.number(),
    not_shown: z.number().describe("Binding limits, prices and water values that are left out."),
  },
  run: async ({ run: path, scenario, stage }, context) => {
    const run = await context.run(path);
    if (run.simulation === undefined) {
      throw new Refusal(
        `${path} has no finished simulation`,
        "Run the case with simulation.enabled = true and a number of scenarios in simulation.selection.",
      );
    }
    const found = await explainStage(run, run.simulation, scenario, stage);
    const { binding, prices, waterValues, costs } = found;
    const total = Object.values(costs).reduce((sum, cost) => sum + cost, 0);
    const highest = prices.reduce(
      (most, { price }) => Math.max(most, price),
      Number.NEGATIVE_INFINITY,
    );
    const missing =
      found.deficitMwh > 0 ? ` ${Math.round(found.deficitMwh)} MWh of load are not met.` : "";
    const hidden = [binding, prices, waterValues].reduce(
      (sum, all) => sum + Math.max(0, all.length - MOST_BINDING),
      0,
    );
    return {
      summary: `In stage ${stage} of scenario ${scenario} the system costs ${dollars(total)}; ${counted(binding.length, "limit is", "limits are")} reached, and the highest price is ${Number(highest.toPrecision(4))} $/MWh.${missing}`,
      data: {
        costs,
        future_cost: found.futureCost,
        binding: binding.slice(0, MOST_BINDING),
        prices: prices
          .slice(0, MOST_BINDING)
          .map(({ bus, block, price }) => ({ bus, block, price_per_mwh: price })),
        water_values: waterValues.slice(0, MOST_BINDING).map((one) => ({
          hydro: one.hydro,
          value_per_hm3: one.value,
          storage_initial_hm3: one.storageInitial,
          storage_final_hm3: one.storageFinal,
          inflow_m3s: one.inflow,
        })),
        deficit_mwh: found.deficitMwh,
        not_shown: hidden,
      },
    };
  },
});
