import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const EXAMPLES = fileURLToPath(new URL("../../../examples/cases", import.meta.url));

/** What tests change in `config.json`. */
export interface ExampleConfig {
  training: { stopping_rules: object[]; tree_seed?: number };
  simulation: { selection: { num_scenarios: number } };
  policy?: object;
  exports?: object;
}

/** Copies an example case and changes its configuration: so few iterations and scenarios that it takes a moment. */
export function copyExample(
  example: string,
  directory: string,
  size: { readonly iterations: number; readonly scenarios: number },
  change: (config: ExampleConfig) => void = () => {},
): string {
  cpSync(join(EXAMPLES, example), directory, { recursive: true });
  const file = join(directory, "config.json");
  const config: ExampleConfig = JSON.parse(readFileSync(file, "utf8"));
  config.training.stopping_rules = [{ type: "iteration_limit", limit: size.iterations }];
  config.simulation.selection.num_scenarios = size.scenarios;
  change(config);
  writeFileSync(file, JSON.stringify(config));
  return directory;
}
