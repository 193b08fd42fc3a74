/** Tools that look into the policy of a run: what water is worth. */
import { COST_SCALE, type CutPool } from "@cobre/sddp";
import { z } from "zod";
import { Refusal } from "../refusal.js";
import { stageIndex, waterValue } from "../results/water-value.js";
import { counted, dollars, money, runPath } from "./fields.js";
import { defineTool } from "./tool.js";

const MOST_CUTS = 50;
/** Slopes of a cut that are shown, the steepest first. */
const MOST_SLOPES = 10;

export const inspectPolicy = defineTool({
  name: "inspect_policy",
  title: "Look at a policy",
  description:
    "Shows the policy that training made. For each stage it is a set of cuts: planes below the expected cost of all later stages, as a function of how much water is stored. The highest of them at a state is what the policy believes the future costs there. Without `stage`: how many cuts each stage has. With `stage`: its cuts, the latest first.",
  input: {
    run: runPath,
    stage: z.number().int().optional().describe("The id of a stage."),
    offset: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(MOST_CUTS).default(10),
  },
  output: {
    iteration: z.number().describe("The last complete iteration."),
    initial_bound: money.describe("$: the bound before the first iteration."),
    state: z.array(z.string()).describe("What the cost of the future depends on."),
    stages: z.array(z.object({ stage: z.number(), cuts: z.number() })),
    cuts: z
      .array(
        z.object({
          number: z.number(),
          iteration: z.number().describe("0: from before training."),
          intercept: z.number().describe("$ at a state of zeros"),
          slopes: z.array(z.object({ state: z.string(), slope: z.number(), unit: z.string() })),
        }),
      )
      .describe("Only with `stage`."),
    total_cuts: z.number(),
  },
  run: async ({ run: path, stage, offset, limit }, context) => {
    const run = await context.run(path);
    mustHavePolicy(path, run.hasPolicy);
    const policy = await run.policy();
    const { hydroIds, lags, stageIds, nodes } = policy.origin;
    const { hydros } = await run.entities();
    const nameOf = (id: number) => hydros.find((one) => one.id === id)?.name ?? `hydro ${id}`;
    const state = Array.from({ length: 1 + lags }, (_, lag) =>
      hydroIds.map((id) => ({
        name: lag === 0 ? `storage of ${nameOf(id)}` : `inflow of ${nameOf(id)} ${lag} stages ago`,
        unit: lag === 0 ? "$/hm3" : "$/(m3/s)",
      })),
    ).flat();
    for (const { family, entityType, entityId, ahead, unit } of policy.origin.components ?? []) {
      if (ahead === undefined) continue;
      const plant = entityType === "hydro" ? nameOf(entityId) : `thermal ${entityId}`;
      const what =
        family === "in_transit" ? `water on its way to ${plant}` : `commitment of ${plant}`;
      state.push({ name: `${what}, ${ahead} stages ahead`, unit: `$/${unit}` });
    }
    const pool = stage === undefined ? undefined : policy.pools[stageIndex(policy, stage)];
    const total = policy.pools.reduce((sum, { count }) => sum + count, 0);
    return {
      summary:
        pool === undefined
          ? `The policy of ${path} has ${counted(total, "cut")} after ${counted(policy.iteration, "iteration")}.`
          : `Stage ${stage} has ${counted(pool.count, "cut")} after ${counted(policy.iteration, "iteration")}.`,
      data: {
        iteration: policy.iteration,
        initial_bound: policy.initialBound,
        state: state.slice(0, 100).map(({ name }) => name),
        stages: policy.pools.slice(0, 400).map(({ count }, index) => ({
          stage: stageIds[nodes?.[index]?.stage ?? index] as number,
          cuts: count,
        })),
        cuts: pool === undefined ? [] : latest(pool, state, offset, limit),
        total_cuts: total,
      },
    };
  },
});

function latest(
  pool: CutPool,
  state: readonly { readonly name: string; readonly unit: string }[],
  offset: number,
  limit: number,
) {
  const first = pool.count - 1 - offset;
  const slots = Array.from({ length: limit }, (_, i) => first - i).filter((slot) => slot >= 0);
  return slots.map((number) => ({
    number,
    iteration: pool.iteration(number),
    intercept: pool.intercept(number) * COST_SCALE,
    slopes: state
      .map(({ name, unit }, i) => ({
        state: name,
        slope: pool.coefficient(number, i) * COST_SCALE,
        unit,
      }))
      .sort((a, b) => Math.abs(b.slope) - Math.abs(a.slope))
      .slice(0, MOST_SLOPES),
  }));
}

export const getWaterValue = defineTool({
  name: "get_water_value",
  title: "What is water worth?",
  description:
    "Tells what the policy of a run expects all stages after a given one to cost, if the reservoirs then hold the given amounts of water, and how much one more hm³ in each of them would save (its water value, in $/hm³). A reservoir that is not given is taken as it was on average in the last iteration.",
  input: {
    run: runPath,
    stage: z.number().int().describe("The id of the stage at whose end the water is there."),
    storages: z
      .record(z.string().max(200), z.number())
      .default({})
      .describe('hm³ by the id or name of hydro plants: {"Furnas": 12000, "2": 800}.'),
  },
  output: {
    stage: z.number(),
    future_cost: money.describe("$: expected cost of all later stages."),
    reservoirs: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        storage_hm3: z.number(),
        is_given: z.boolean(),
        water_value_per_hm3: money.describe("$/hm3 that one more hm3 would save"),
      }),
    ),
    cuts: z.number(),
    highest_cut: z
      .object({ slot: z.number(), iteration: z.number() })
      .nullable()
      .describe("The cut that tells the cost there."),
  },
  run: async ({ run: path, stage, storages }, context) => {
    const run = await context.run(path);
    mustHavePolicy(path, run.hasPolicy);
    const found = waterValue(await run.policy(), await run.entities(), stage, storages);
    const dearest = found.reservoirs.reduce((a, b) => (b.value > a.value ? b : a));
    return {
      summary: `After stage ${stage}, later stages are expected to cost ${dollars(found.futureCost)}; water is worth most in ${dearest.name}: one more hm³ would save ${dollars(dearest.value)}.`,
      data: {
        stage,
        future_cost: found.futureCost,
        reservoirs: found.reservoirs.slice(0, 200).map((one) => ({
          id: one.id,
          name: one.name,
          storage_hm3: one.storage,
          is_given: one.isGiven,
          water_value_per_hm3: one.value,
        })),
        cuts: found.cuts,
        highest_cut: found.cut,
      },
    };
  },
});

function mustHavePolicy(path: string, hasPolicy: boolean): void {
  if (hasPolicy) return;
  throw new Refusal(`${path} has no policy of its own`, "Ask for the run that trained it.");
}
