/** Tools that look at cases and make new ones. */
import { formatIssue } from "@cobre/core";
import { validateCase } from "@cobre/sddp";
import { summaryOf } from "@cobre/study";
import { z } from "zod";
import { checkPolicyPaths } from "../cases/policy-paths.js";
import { varyCase } from "../cases/vary.js";
import { checkTree } from "../files/confined-tree.js";
import { Refusal } from "../refusal.js";
import { findCases } from "../runs/find-runs.js";
import { casePath, counted, setting } from "./fields.js";
import { defineTool } from "./tool.js";

const MOST_CASES = 100;
const MOST_ISSUES = 50;

export const listCases = defineTool({
  name: "list_cases",
  title: "List the cases",
  description:
    "Lists the cases in the folders of this server. A case is a folder that describes a power system (hydro plants with reservoirs, thermal plants, buses, lines), its uncertain inflows and loads, and how to plan its operation over several stages, often months. Start here.",
  input: {},
  output: {
    cases: z.array(
      z.object({
        case: z.string().describe("The path to give to other tools."),
      }),
    ),
    more: z.number().int().describe("How many further cases are not shown."),
  },
  run: async (_, { roots }) => {
    const found = await findCases(roots);
    const cases = found
      .slice(0, MOST_CASES)
      .map(({ directory }) => ({ case: roots.shown(directory) }));
    const next =
      found.length === 0
        ? "; `cobre init my-case` makes one to start from"
        : "; describe_case tells what one holds";
    return {
      summary: `${counted(found.length, "case")} in the folders of this server${next}.`,
      data: { cases, more: Math.max(0, found.length - MOST_CASES) },
    };
  },
});

const entity = z.object({ id: z.number(), name: z.string() });
const MOST_NAMES = 60;

export const describeCase = defineTool({
  name: "describe_case",
  title: "Describe a case",
  description:
    "Tells what a case holds: how many stages, plants, buses and lines, with their names, capacities and costs; how uncertain the future is (openings: the possible inflows and loads considered in each stage); and how it will be trained and simulated.",
  input: { case: casePath },
  output: {
    case: z.string(),
    stages: z.object({
      count: z.number(),
      openings: z.array(z.number()).describe("By stage: how many possible futures are considered."),
    }),
    hydros: z.array(
      entity.extend({
        min_storage_hm3: z.number(),
        max_storage_hm3: z.number().nullable(),
        max_generation_mw: z.number().nullable(),
      }),
    ),
    thermals: z.array(
      entity.extend({ max_generation_mw: z.number().nullable(), cost_per_mwh: z.number() }),
    ),
    buses: z.array(entity),
    lines: z.array(entity),
    not_shown: z
      .number()
      .describe("Entities that are left out of the lists because there are many."),
    training: z.object({
      forward_passes: z.number().describe("Futures that are tried out in each iteration."),
      tree_seed: z.number(),
      stopping_rules: z.array(z.string()),
    }),
    simulated_scenarios: z.number(),
    warnings: z.array(z.string()),
  },
  run: async ({ case: path }, context) => {
    const folder = await context.folder(path);
    const { case: source, issues } = await validateCase(folder);
    if (source === undefined) {
      throw new Refusal(
        `${path} has ${counted(issues.length, "fault")} and cannot be used`,
        "Call validate_case to see them.",
      );
    }
    const { system } = source.study;
    const size = summaryOf(source);
    const named = (all: readonly { readonly id: number; readonly name: string }[]) =>
      all.slice(0, MOST_NAMES).map(({ id, name }) => ({ id, name }));
    const hidden = [system.hydros, system.thermals, system.buses, system.lines].reduce(
      (sum, all) => sum + Math.max(0, all.length - MOST_NAMES),
      0,
    );
    return {
      summary: `${path} plans ${counted(size.stages, "stage")} of a system with ${counted(size.hydros, "hydro plant")}, ${counted(size.thermals, "thermal plant")}, ${counted(size.buses, "bus", "buses")} and ${counted(size.lines, "line")}; training tries ${counted(size.forward_passes, "future")} in each iteration, and ${counted(size.scenarios, "scenario")} are simulated.`,
      data: {
        case: path,
        stages: { count: size.stages, openings: [...size.openings] },
        hydros: system.hydros.slice(0, MOST_NAMES).map((hydro) => ({
          id: hydro.id,
          name: hydro.name,
          min_storage_hm3: hydro.minStorageHm3,
          max_storage_hm3: finite(hydro.maxStorageHm3),
          max_generation_mw: finite(hydro.maxGenerationMw),
        })),
        thermals: system.thermals.slice(0, MOST_NAMES).map((thermal) => ({
          id: thermal.id,
          name: thermal.name,
          max_generation_mw: finite(thermal.maxGenerationMw),
          cost_per_mwh: thermal.costPerMwh,
        })),
        buses: named(system.buses),
        lines: named(system.lines),
        not_shown: hidden,
        training: {
          forward_passes: size.forward_passes,
          tree_seed: size.tree_seed,
          stopping_rules: source.config.training.stoppingRules.map((rule) => JSON.stringify(rule)),
        },
        simulated_scenarios: source.config.simulation.isEnabled ? size.scenarios : 0,
        warnings: source.warnings.slice(0, MOST_ISSUES).map(formatIssue),
      },
    };
  },
});

/** A missing limit is infinite in the model. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export const validateTool = defineTool({
  name: "validate_case",
  title: "Check a case",
  description:
    "Reads a case and lists everything that is wrong with it, each fault with its file, its field and what to do. Do this before start_run.",
  input: { case: casePath },
  output: {
    valid: z.boolean(),
    errors: z.number(),
    warnings: z.number(),
    issues: z.array(
      z.object({ severity: z.string(), text: z.string().describe("Where, what, and what to do.") }),
    ),
    more: z.number().describe("How many further issues are not shown."),
  },
  run: async ({ case: path }, context) => {
    const folder = await context.folder(path);
    await checkPolicyPaths(context.roots, folder, undefined);
    const { case: source, issues } = await validateCase(folder);
    const errors = issues.filter(({ severity }) => severity === "error").length;
    const warnings = issues.length - errors;
    const verdict = source === undefined ? "cannot be used" : "can be run";
    return {
      summary: `${path} ${verdict}: ${counted(errors, "error")}, ${counted(warnings, "warning")}.`,
      data: {
        valid: source !== undefined,
        errors,
        warnings,
        issues: issues
          .slice(0, MOST_ISSUES)
          .map((issue) => ({ severity: issue.severity, text: formatIssue(issue) })),
        more: Math.max(0, issues.length - MOST_ISSUES),
      },
    };
  },
});

export const varyTool = defineTool({
  name: "vary_case",
  title: "Make a variant of a case",
  description:
    "Copies a case to a new folder with other values, for a what-if study: another number of iterations or scenarios (config.json), more initial storage (initial_conditions.json), a dearer plant (system/thermals.json). get_schema tells which values a file has. The original stays as it is; nothing is overwritten; a variant with errors is not written. Needs a server that may write.",
  changes: "adds",
  input: {
    case: casePath,
    to: z
      .string()
      .min(1)
      .max(1000)
      .describe("The new folder, relative to a root. Its parent must exist."),
    set: z
      .array(
        setting.extend({
          file: z
            .string()
            .regex(/^([a-z_]+\/)?[a-z_]+\.json$/)
            .default("config.json")
            .describe("The JSON file of the case; config.json by default."),
        }),
      )
      .max(100)
      .describe(
        "The values that differ. In paths, entries of lists count from 0: thermals.2.max_generation_mw.",
      ),
  },
  output: {
    case: z.string().describe("The new case."),
    changed: z.array(
      z.object({
        file: z.string(),
        path: z.string(),
        before: z.string().describe("JSON; nothing if there was no value."),
        after: z.string().describe("JSON"),
      }),
    ),
    warnings: z.array(z.string()),
  },
  run: async ({ case: path, to, set }, context) => {
    context.mustAllowWriting();
    const from = await context.folder(path);
    const folder = await context.roots.fresh(to);
    const { changed, warnings } = await varyCase(context.roots, from, folder, set);
    await checkTree(context.roots, folder);
    const shown = context.roots.shown(folder);
    return {
      summary: `${shown} is a copy of ${path} with ${counted(changed.length, "other value")}; start_run runs it.`,
      data: { case: shown, changed, warnings: warnings.slice(0, MOST_ISSUES) },
    };
  },
});
