import { normalize } from "node:path";
import type { ObjectReader } from "../json/object-reader.js";
import { LATER_FIELDS } from "../later-fields.js";
import type { Config } from "./config.js";
import { LIMITS } from "./limits.js";
import { sampled, warnOfSolvers } from "./paths-and-solvers.js";
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
    scenarios: simulation === undefined ? DEFAULT_SCENARIOS : readScenarios(simulation),
    scenarioSource: readScenarioSource(simulation?.optionalObject("scenario_source")) ?? training,
  };
  simulation?.ignore("io_channel_capacity", "output_mode");
  simulation?.refuseLater(LATER_FIELDS.simulation);
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
    scenarios: readScenarios(simulation),
    scenarioSource: readScenarioSource(simulation.optionalObject("scenario_source")) ?? training,
  };
  warnOfSolvers(simulation, ["solver"]);
  simulation.ignore("io_channel_capacity");
  simulation.finish();
  return result;
}

/** How many scenarios are simulated: a number, or in Cobre 0.18 an object that says how they are chosen. */
function readScenarios(simulation: ObjectReader): number {
  const [name, rule] = ["num_scenarios", { min: 1, max: LIMITS.scenarios }] as const;
  if (!simulation.isLater) return simulation.optionalInteger(name, rule) ?? DEFAULT_SCENARIOS;
  simulation.refuseEarlier({ [name]: sampled(name) });
  const selection = simulation.optionalObject("selection");
  if (selection?.choice("method", ["sampled", "enumerated"]) === "enumerated") {
    selection.cannot("method", "a simulation of every path");
  }
  const count = selection?.integer(name, rule);
  selection?.finish();
  return count ?? DEFAULT_SCENARIOS;
}
