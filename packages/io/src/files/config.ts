import { CASE_FILES, type IssueCollector } from "@cobre/core";
import { NON_NEGATIVITY, type NonNegativityMethod } from "@cobre/stochastic";
import type { AlgorithmFormats, CutSelection, StoppingRule } from "../algorithms.js";
import { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { LATER_FIELDS } from "../later-fields.js";
import type { CaseDirectory } from "../memory/memory-case.js";
import { LIMITS } from "./limits.js";
import type { ScenarioSource } from "./scenario-source.js";
import { readSimulation } from "./simulation-config.js";
import { readTraining } from "./training-config.js";

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
  policy?.refuseEarlier({ validate_compatibility: "remove it, policies are always checked" });
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
