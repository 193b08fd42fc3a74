import { fileURLToPath } from "node:url";
import type { Case } from "@cobre/io";
import { loadCase } from "@cobre/sddp";

const DIRECTORY = fileURLToPath(
  new URL("../../../../examples/cases/four-regions", import.meta.url),
);

/** The four-regions example, with this number of iterations; `settings` are merged into its configuration. */
export async function fourRegions(iterations: number, settings?: object): Promise<Case> {
  const found = await loadCase(DIRECTORY, settings);
  const stoppingRules = [{ type: "iteration_limit" as const, limit: iterations }];
  const training = { ...found.config.training, stoppingRules };
  return { ...found, config: { ...found.config, training } };
}
