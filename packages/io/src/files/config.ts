import { normalize } from "node:path";
import { CASE_FILES, type IssueCollector } from "@cobre/core";
import { NON_NEGATIVITY, type NonNegativityMethod } from "@cobre/stochastic";
import {
  type AlgorithmFormats,
  type CutSelection,
  readStoppingRules,
  type StoppingRule,
} from "../algorithms.js";
import { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { LATER_FIELDS } from "../later-fields.js";
import type { CaseDirectory } from "../memory/memory-case.js";
import { readCutSelection } from "./cut-selection.js";
import { LIMITS } from "./limits.js";
import { IN_SAMPLE, readScenarioSource, type ScenarioSource } from "./scenario-source.js";

/** `config.json`, with every default filled in. */
export interface Config {
  /** The rules of this version hold; without it those of Cobre 0.5. */
  readonly dialect?: "0.18" | undefined;
  /** Reproduces the named version of Cobre, also where its results are wrong. */
  readonly compat?: "cobre-0.5" | undefined;
  readonly training: {
    readonly isEnabled: boolean;
    readonly forwardPasses: number;
    /** Whether forward passes go along every path of a tree once, instead of along `forwardPasses` drawn ones. Default: false. */
    readonly isEnumerated?: boolean | undefined;
    readonly stoppingRules: readonly StoppingRule[];
    /** `all_within_limit`: all rules but the limits of iterations, of which the largest ends training alone. */
    readonly stoppingMode: "any" | "all" | "all_within_limit";
    readonly treeSeed: number;
    readonly scenarioSource: ScenarioSource;
    /** `undefined`: all cuts are kept. */
    readonly cutSelection?: CutSelection | undefined;
    readonly retryMaxAttempts: number;
  };
  readonly inflowNonNegativity: {
    readonly method: NonNegativityMethod;
    /** Has no effect: the cost is `inflow_nonnegativity_cost` of the penalties. Kept to warn if it says something else. */
    readonly penaltyCost?: number | undefined;
  };
  readonly simulation: {
    readonly isEnabled: boolean;
    readonly scenarios: number;
    /** Whether every path of a tree is a scenario, instead of `scenarios` drawn ones. Default: false. */
    readonly isEnumerated?: boolean | undefined;
    readonly scenarioSource: ScenarioSource;
  };
  readonly policy: {
    readonly path: string;
    readonly mode: "fresh" | "warm_start" | "resume";
    /** Without `sourceStage`, the stage of the other policy that ends when this study ends. */
    readonly boundary?:
      | { readonly path: string; readonly sourceStage?: number | undefined }
      | undefined;
    readonly checkpointInterval?: number | undefined;
  };
  readonly exports: {
    readonly states: boolean;
    readonly stochastic: boolean;
    /** Whether each scenario of a simulation gets files of its own, in Hive partitions. */
    readonly hive: boolean;
  };
}

export const DEFAULT_SEED = 42;

/** Reads `config.json` and merges `settings` into it. */
export async function readConfig(
  directory: CaseDirectory,
  issues: IssueCollector,
  formats: AlgorithmFormats,
  settings?: object,
): Promise<Config | undefined> {
  const root = await readJson(directory, CASE_FILES.config, issues, false, settings);
  return root && configOf(root, formats);
}

/**
 * What an object with the fields of `config.json` says. Its faults are added to `issues`, under the name of `file`; settings with a fault have harmless
 * values.
 *
 * @example
 * ```ts
 * const issues = new IssueCollector();
 * const { training } = parseConfig({ training: { forward_passes: 4, stopping_rules } }, "config", issues, formats);
 * issues.throwIfErrors();
 * ```
 */
export function parseConfig(
  value: unknown,
  file: string,
  issues: IssueCollector,
  formats: AlgorithmFormats,
): Config {
  return configOf(new ObjectReader(value, { file }, "", issues), formats);
}

/** What `config.json` says. */
export function configOf(root: ObjectReader, formats: AlgorithmFormats): Config {
  const compat = readCompat(root);
  const training = readTraining(root.object("training"), formats, compat);
  const config: Config = {
    ...(root.isLater && { dialect: "0.18" }),
    compat,
    training,
    inflowNonNegativity: readNonNegativity(root.optionalObject("modeling")),
    simulation: readSimulation(root.optionalObject("simulation"), training.scenarioSource),
    policy: readPolicy(root.optionalObject("policy")),
    exports: readExports(root.optionalObject("exports")),
  };
  const upperBound = root.optionalObject("upper_bound_evaluation");
  if (upperBound?.boolean("enabled", false)) {
    upperBound.cannot("enabled", "an upper bound by inner approximation");
  }
  upperBound?.ignore("initial_iteration", "interval_iterations", "lipschitz");
  upperBound?.finish();
  // A model fitted to the history of inflows is refused where the history is; without one there is nothing to estimate.
  root.ignore("estimation");
  if (!root.isLater) root.ignore("version");
  root.finish();
  return config;
}

function readCompat(root: ObjectReader): Config["compat"] {
  if (!root.isLater) return root.has("compat") ? root.choice("compat", ["cobre-0.5"]) : undefined;
  root.refuseEarlier({ compat: "remove it, the rules of Cobre 0.18 hold" });
  return undefined;
}

function readTraining(
  training: ObjectReader,
  { stoppingRules, cutSelections }: AlgorithmFormats,
  compat: Config["compat"],
): Config["training"] {
  const solver = training.optionalObject("solver");
  const result = {
    isEnabled: training.boolean("enabled", true),
    ...readPaths(training),
    stoppingRules: readStoppingRules(training, stoppingRules),
    stoppingMode: readStoppingMode(training),
    treeSeed: training.optionalInteger("tree_seed") ?? DEFAULT_SEED,
    scenarioSource: readScenarioSource(training.optionalObject("scenario_source")) ?? IN_SAMPLE,
    cutSelection: readCutSelection(
      training.optionalObject("cut_selection"),
      cutSelections,
      // Cobre 0.5 selects cuts only where it is told to.
      compat === undefined,
    ),
    retryMaxAttempts:
      solver?.optionalInteger("retry_max_attempts", { min: 1, max: LIMITS.retryAttempts }) ?? 5,
  };
  if (training.isLater) {
    training.refuseEarlier({ cut_formulation: REMOVE, forward_pass: REMOVE });
    warnOfSolvers(solver, ["backward", "forward"]);
    training.ignore("parallelism");
  } else {
    const forwardPass = training.optionalObject("forward_pass");
    forwardPass?.onlyText("type", "default", (type) => `the forward pass "${type}"`);
    forwardPass?.finish();
    if (training.choice("cut_formulation", ["single", "multi"], "single") === "multi") {
      training.cannot("cut_formulation", "a cut for each opening");
    }
  }
  solver?.ignore("retry_time_budget_seconds");
  solver?.refuseLater(LATER_FIELDS.solver);
  solver?.finish();
  const { selection, ...others } = LATER_FIELDS.training;
  training.refuseLater(result.isEnumerated ? others : { selection, ...others });
  training.finish();
  return result;
}

const REMOVE = "remove it";

/** How many paths forward passes take, or that they take every one. */
function readPaths(
  training: ObjectReader,
): Pick<Config["training"], "forwardPasses" | "isEnumerated"> {
  const rule = { min: 1, max: LIMITS.forwardPasses };
  if (!training.isLater) {
    const isEnumerated = readEnumeration(training, "forward_passes", "passes are made");
    const forwardPasses = isEnumerated ? 1 : training.integer("forward_passes", rule);
    return { forwardPasses, ...(isEnumerated && { isEnumerated }) };
  }
  training.refuseEarlier({ forward_passes: sampled("forward_passes") });
  const selection = training.object("selection");
  const isEnumerated = selection.choice("method", ["sampled", "enumerated"]) === "enumerated";
  const forwardPasses = isEnumerated ? 1 : selection.integer("forward_passes", rule);
  selection.finish();
  return { forwardPasses, ...(isEnumerated && { isEnumerated }) };
}

function sampled(name: string): string {
  return `give {"selection": {"method": "sampled", "${name}": …}}`;
}

/**
 * Whether `selection` of the training or the simulation asks for every path. Cobre 0.18 has drawn paths there, too; in a case for Cobre 0.5 the field
 * `count` tells how many.
 */
function readEnumeration(section: ObjectReader, count: string, made: string): boolean {
  if (!isEnumeration(section.raw("selection"))) return false;
  const selection = section.object("selection");
  selection.choice("method", ["enumerated"]);
  selection.finish();
  if (section.has(count)) {
    const remedy = `leave it out: as many ${made} as there are paths`;
    section.report(count, "stands beside the enumerated selection", remedy);
  }
  return true;
}

function isEnumeration(selection: unknown): boolean {
  return (selection as { method?: unknown } | null | undefined)?.method === "enumerated";
}

/** How many scenarios are simulated, or that every path is one. Cobre 0.18 has an object that says so. */
function readScenarios(
  simulation: ObjectReader,
): Pick<Config["simulation"], "scenarios" | "isEnumerated"> {
  const [name, rule] = ["num_scenarios", { min: 1, max: LIMITS.scenarios }] as const;
  if (!simulation.isLater) {
    if (readEnumeration(simulation, name, "scenarios are simulated")) return EVERY_PATH;
    return { scenarios: simulation.optionalInteger(name, rule) ?? DEFAULT_SCENARIOS };
  }
  simulation.refuseEarlier({ [name]: sampled(name) });
  const selection = simulation.optionalObject("selection");
  const isEnumerated = selection?.choice("method", ["sampled", "enumerated"]) === "enumerated";
  const count = isEnumerated ? undefined : selection?.integer(name, rule);
  selection?.finish();
  return isEnumerated ? EVERY_PATH : { scenarios: count ?? DEFAULT_SCENARIOS };
}

/** How many paths there are is known when the graph is. */
const EVERY_PATH = { scenarios: 1, isEnumerated: true } as const;

/** In Cobre 0.18 a limit of iterations is no rule among others, but the end of training in any case. */
function readStoppingMode(training: ObjectReader): Config["training"]["stoppingMode"] {
  const mode = training.choice("stopping_mode", ["any", "all"], "any");
  return mode === "all" && training.isLater ? "all_within_limit" : mode;
}

function warnOfSolvers(solver: ObjectReader | undefined, names: readonly string[]): void {
  for (const name of names) {
    if (solver?.raw(name) === undefined) continue;
    solver.warn(name, "has no effect", "programs are solved as docs/solvers.md tells");
  }
}

function readNonNegativity(modeling: ObjectReader | undefined): Config["inflowNonNegativity"] {
  const section = modeling?.optionalObject("inflow_non_negativity");
  const methods = Object.keys(NON_NEGATIVITY) as NonNegativityMethod[];
  const method = section?.choice("method", methods, "penalty") ?? "penalty";
  const isLater = section?.isLater ?? false;
  section?.refuseEarlier({ penalty_cost: "give inflow_nonnegativity_cost in penalties.json" });
  const penaltyCost = isLater ? undefined : section?.optionalNumber("penalty_cost", { min: 0 });
  section?.finish();
  // Costs are scaled as the solver needs it; the results do not depend on that.
  if (modeling?.isLater) modeling.ignore("cost_scale_factor");
  modeling?.refuseLater(LATER_FIELDS.modeling);
  modeling?.finish();
  return { method, penaltyCost };
}

function readSimulation(
  simulation: ObjectReader | undefined,
  training: ScenarioSource,
): Config["simulation"] {
  if (simulation?.isLater) return readLaterSimulation(simulation, training);
  const outputPath = simulation?.has("output_path") ? simulation.text("output_path") : "";
  if (!["", ".", "simulation", "simulation/"].includes(normalize(outputPath))) {
    const remedy = "results are in simulation/ of the output directory, which --output gives";
    simulation?.report("output_path", `is "${outputPath}"`, remedy);
  }
  if (simulation?.choice("policy_type", ["outer", "inner"], "outer") === "inner") {
    simulation.cannot("policy_type", "a policy by inner approximation");
  }
  const result = {
    isEnabled: simulation?.boolean("enabled", false) ?? false,
    ...(simulation === undefined ? { scenarios: DEFAULT_SCENARIOS } : readScenarios(simulation)),
    scenarioSource: readScenarioSource(simulation?.optionalObject("scenario_source")) ?? training,
  };
  simulation?.ignore("io_channel_capacity", "output_mode");
  const { selection, ...others } = LATER_FIELDS.simulation;
  const isEnumerated = "isEnumerated" in result;
  simulation?.refuseLater(isEnumerated ? others : { selection, ...others });
  simulation?.finish();
  return result;
}

const DEFAULT_SCENARIOS = 2000;

function readLaterSimulation(
  simulation: ObjectReader,
  training: ScenarioSource,
): Config["simulation"] {
  simulation.refuseEarlier({
    output_path: "results are in simulation/ of the output directory, which --output gives",
    policy_type: REMOVE,
    output_mode: REMOVE,
  });
  const result = {
    isEnabled: simulation.boolean("enabled", false),
    ...readScenarios(simulation),
    scenarioSource: readScenarioSource(simulation.optionalObject("scenario_source")) ?? training,
  };
  warnOfSolvers(simulation, ["solver"]);
  simulation.ignore("io_channel_capacity");
  simulation.finish();
  return result;
}

function readPolicy(policy: ObjectReader | undefined): Config["policy"] {
  const boundary = policy?.optionalObject("boundary");
  boundary?.refuseEarlier({ source_stage: "leave it out, the stage is found by its date" });
  const checkpointing = policy?.optionalObject("checkpointing");
  const isCheckpointing = checkpointing?.boolean("enabled", true) ?? false;
  const interval = checkpointing?.optionalInteger("interval_iterations", {
    min: 1,
    max: LIMITS.iterations,
  });
  const result = {
    path: policy?.has("path") ? policy.text("path") : "./policy",
    mode: policy?.choice("mode", ["fresh", "warm_start", "resume"], "fresh") ?? "fresh",
    boundary: boundary && {
      path: boundary.text("path"),
      sourceStage: boundary.isLater
        ? undefined
        : boundary.optionalInteger("source_stage", { min: 0 }),
    },
    checkpointInterval: isCheckpointing ? interval : undefined,
  } as const;
  policy?.refuseEarlier({ validate_compatibility: `${REMOVE}, policies are always checked` });
  if (!policy?.isLater && policy?.boolean("validate_compatibility", true) === false) {
    const remedy = "policies are always checked, because cuts of other states mean nothing here";
    policy.report("validate_compatibility", "is false", remedy);
  }
  // The components of the state must be the same in any case: there is nothing left over to be strict about.
  boundary?.ignore("strict");
  boundary?.finish();
  checkpointing?.ignore("compress", "initial_iteration", "store_basis");
  checkpointing?.finish();
  policy?.finish();
  return result;
}

function readExports(exports: ObjectReader | undefined): Config["exports"] {
  const result = {
    states: exports?.boolean("states", false) ?? false,
    stochastic: exports?.boolean("stochastic", false) ?? false,
    hive: exports?.boolean("hive", false) ?? false,
  };
  if (exports?.isLater && exports.boolean("fpha_deviation_points", false)) {
    const remedy = "hydro_models/fpha_hyperplanes.parquet tells how well planes fit";
    exports.warn("fpha_deviation_points", "has no effect", remedy);
  }
  exports?.finish();
  return result;
}
