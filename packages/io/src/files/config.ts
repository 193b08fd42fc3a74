import { normalize } from "node:path";
import { CASE_FILES, IssueCollector } from "@cobre/core";
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
import { LIMITS } from "./limits.js";

export const SCHEMES = ["in_sample", "out_of_sample", "historical", "external"] as const;
export type Scheme = (typeof SCHEMES)[number];

/** Where the noise of forward passes comes from. */
export interface ScenarioSource {
  /** For schemes other than in_sample, whose paths come from the seed of the tree. */
  readonly seed?: number | undefined;
  readonly inflow: Scheme;
  readonly load: Scheme;
  readonly ncs: Scheme;
}

/** `config.json`, with every default filled in. */
export interface Config {
  /** Reproduces the named version of Cobre, also where its results are wrong. */
  readonly compat?: "cobre-0.5" | undefined;
  readonly training: {
    readonly isEnabled: boolean;
    readonly forwardPasses: number;
    readonly stoppingRules: readonly StoppingRule[];
    readonly stoppingMode: "any" | "all";
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
    readonly scenarioSource: ScenarioSource;
  };
  readonly policy: {
    readonly path: string;
    readonly mode: "fresh" | "warm_start" | "resume";
    readonly boundary?: { readonly path: string; readonly sourceStage: number } | undefined;
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
  const compat = root.has("compat") ? root.choice("compat", ["cobre-0.5"]) : undefined;
  const training = readTraining(root.object("training"), formats, compat);
  const config: Config = {
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
  root.ignore("estimation", "version");
  root.finish();
  return config;
}

function readTraining(
  training: ObjectReader,
  { stoppingRules, cutSelections }: AlgorithmFormats,
  compat: Config["compat"],
): Config["training"] {
  const solver = training.optionalObject("solver");
  const result = {
    isEnabled: training.boolean("enabled", true),
    forwardPasses: training.integer("forward_passes", { min: 1, max: LIMITS.forwardPasses }),
    stoppingRules: readStoppingRules(training, stoppingRules),
    stoppingMode: training.choice("stopping_mode", ["any", "all"], "any"),
    treeSeed: training.optionalInteger("tree_seed") ?? DEFAULT_SEED,
    scenarioSource: readScenarioSource(training.optionalObject("scenario_source")) ?? IN_SAMPLE,
    cutSelection: readCutSelection(
      training.optionalObject("cut_selection") ?? NOTHING,
      cutSelections,
      // Cobre 0.5 selects cuts only where it is told to.
      compat === undefined,
    ),
    retryMaxAttempts:
      solver?.optionalInteger("retry_max_attempts", { min: 1, max: LIMITS.retryAttempts }) ?? 5,
  };
  const forwardPass = training.optionalObject("forward_pass");
  forwardPass?.onlyText("type", "default", (type) => `the forward pass "${type}"`);
  forwardPass?.finish();
  if (training.choice("cut_formulation", ["single", "multi"], "single") === "multi") {
    training.cannot("cut_formulation", "a cut for each opening");
  }
  solver?.ignore("retry_time_budget_seconds");
  solver?.refuseLater(LATER_FIELDS.solver);
  solver?.finish();
  training.refuseLater(LATER_FIELDS.training);
  training.finish();
  return result;
}

const IN_SAMPLE: ScenarioSource = {
  inflow: "in_sample",
  load: "in_sample",
  ncs: "in_sample",
};

function readScenarioSource(source: ObjectReader | undefined): ScenarioSource | undefined {
  if (source === undefined) return undefined;
  const scheme = (key: string): Scheme => {
    const entry = source.optionalObject(key);
    const chosen = entry?.choice("scheme", SCHEMES) ?? "in_sample";
    entry?.finish();
    return chosen;
  };
  const schemes = { inflow: scheme("inflow"), load: scheme("load"), ncs: scheme("ncs") };
  const seed = source.optionalInteger("seed");
  if (seed === undefined && Object.values(schemes).some((chosen) => chosen !== "in_sample")) {
    source.report("seed", "is missing", "schemes other than in_sample need a seed");
  }
  source.ignore("historical_years");
  source.refuseLater(LATER_FIELDS.scenarioSource);
  source.finish();
  return { seed, ...schemes };
}

/** A section without settings, all of which have defaults. */
const NOTHING = new ObjectReader({}, { file: CASE_FILES.config }, "", new IssueCollector());
const DEFAULT_CHECK_FREQUENCY = 5;

function readCutSelection(
  selection: ObjectReader,
  [first, ...others]: AlgorithmFormats["cutSelections"],
  isOnByDefault: boolean,
): CutSelection | undefined {
  const isEnabled = selection.boolean("enabled", isOnByDefault);
  const formats = [first, ...others];
  const methods = formats.map(({ method }) => method);
  const method = selection.choice("method", methods, first.method);
  const ofMethods = formats.map((format) => format.read(selection));
  const maxActivePerStage = selection.optionalInteger("max_active_per_stage", { min: 1 });
  const checkFrequency =
    selection.optionalInteger("check_frequency", { min: 1 }) ?? DEFAULT_CHECK_FREQUENCY;
  const counters = [
    ["threshold", selection.optionalInteger("threshold", { min: 0 })],
    ["memory_window", selection.optionalInteger("memory_window", { min: 0 })],
    ["cut_activity_tolerance", selection.optionalNumber("cut_activity_tolerance", { min: 0 })],
  ] as const;
  for (const [name, value] of counters) {
    if (!isEnabled || value === undefined || value === 0) continue;
    selection.warn(
      name,
      "has no effect",
      "cuts are judged by their height at the states that training has visited, not by how often they were tight",
    );
  }
  selection.ignore("basis_activity_window");
  selection.refuseLater(LATER_FIELDS.cutSelection);
  selection.finish();
  if (!isEnabled && maxActivePerStage === undefined) return undefined;
  return {
    method: isEnabled ? method : undefined,
    // The budget holds after every iteration.
    checkFrequency: isEnabled ? checkFrequency : 1,
    ...ofMethods[methods.indexOf(method)],
    maxActivePerStage,
  };
}

function readNonNegativity(modeling: ObjectReader | undefined): Config["inflowNonNegativity"] {
  const section = modeling?.optionalObject("inflow_non_negativity");
  const methods = Object.keys(NON_NEGATIVITY) as NonNegativityMethod[];
  const method = section?.choice("method", methods, "penalty") ?? "penalty";
  const penaltyCost = section?.optionalNumber("penalty_cost", { min: 0 });
  section?.finish();
  modeling?.refuseLater(LATER_FIELDS.modeling);
  modeling?.finish();
  return { method, penaltyCost };
}

function readSimulation(
  simulation: ObjectReader | undefined,
  training: ScenarioSource,
): Config["simulation"] {
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
    scenarios:
      simulation?.optionalInteger("num_scenarios", { min: 1, max: LIMITS.scenarios }) ?? 2000,
    scenarioSource: readScenarioSource(simulation?.optionalObject("scenario_source")) ?? training,
  };
  simulation?.ignore("io_channel_capacity", "output_mode");
  simulation?.refuseLater(LATER_FIELDS.simulation);
  simulation?.finish();
  return result;
}

function readPolicy(policy: ObjectReader | undefined): Config["policy"] {
  const boundary = policy?.optionalObject("boundary");
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
      sourceStage: boundary.integer("source_stage", { min: 0 }),
    },
    checkpointInterval: isCheckpointing ? interval : undefined,
  } as const;
  if (policy?.boolean("validate_compatibility", true) === false) {
    const remedy = "policies are always checked, because cuts of other states mean nothing here";
    policy.report("validate_compatibility", "is false", remedy);
  }
  boundary?.refuseLater(LATER_FIELDS.boundary);
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
  exports?.finish();
  return result;
}
