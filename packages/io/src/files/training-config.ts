import { type AlgorithmFormats, readStoppingRules } from "../algorithms.js";
import type { ObjectReader } from "../json/object-reader.js";
import { LATER_FIELDS } from "../later-fields.js";
import type { Config } from "./config.js";
import { readCutSelection } from "./cut-selection.js";
import { LIMITS } from "./limits.js";
import { readEnumeration, sampled, warnOfSolvers } from "./paths-and-solvers.js";
import { IN_SAMPLE, readScenarioSource } from "./scenario-source.js";

export const DEFAULT_SEED = 42;

/** `training` of `config.json` */
export function readTraining(
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

/** In Cobre 0.18 a limit of iterations is no rule among others, but the end of training in any case. */
function readStoppingMode(training: ObjectReader): Config["training"]["stoppingMode"] {
  const mode = training.choice("stopping_mode", ["any", "all"], "any");
  return mode === "all" && training.isLater ? "all_within_limit" : mode;
}
