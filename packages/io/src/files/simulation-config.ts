import { normalize } from "node:path";
import type { ObjectReader } from "../json/object-reader.js";
import { LATER_FIELDS } from "../later-fields.js";
import type { Config } from "./config.js";
import { LIMITS } from "./limits.js";
import { readEnumeration, sampled, warnOfSolvers } from "./paths-and-solvers.js";
import { readScenarioSource, type ScenarioSource } from "./scenario-source.js";

const DEFAULT_SCENARIOS = 2000;

const REMOVE = "remove it";

/** `simulation` of `config.json` */
export function readSimulation(
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
