import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What simulating and writing the scenarios took, as both programs tell it in an output directory; `undefined` if nothing was simulated. */
export function readSimulationSeconds(output: string): number | undefined {
  const file = join(output, "simulation", "metadata.json");
  if (!existsSync(file)) return undefined;
  return Number(JSON.parse(readFileSync(file, "utf8")).duration_seconds);
}
