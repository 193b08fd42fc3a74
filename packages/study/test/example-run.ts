/** Runs of example cases in this process, so small that they take a moment. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { loadCase } from "@cobre/sddp";
import { runStudy, type StudyOptions, type StudyResult } from "@cobre/study";

const EXAMPLES = fileURLToPath(new URL("../../../examples/cases", import.meta.url));

/** The settings of a run with so many iterations and scenarios. */
export function sized(iterations: number, scenarios: number): object {
  return {
    training: { stopping_rules: [{ type: "iteration_limit", limit: iterations }] },
    simulation: { enabled: scenarios > 0, num_scenarios: Math.max(1, scenarios) },
  };
}

/** An example with other settings. */
export function loadExample(name: string, settings: object): Promise<Case> {
  return loadCase(join(EXAMPLES, name), settings);
}

/** Runs an example with other settings. */
export async function runExample(
  name: string,
  settings: object,
  options: StudyOptions,
): Promise<StudyResult> {
  using comm = await createCommunicator({ kind: "local" });
  return await runStudy(comm, await loadExample(name, settings), options);
}
