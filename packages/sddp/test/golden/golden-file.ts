import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Results } from "./results.js";

/** The file in the sources, not a copy of it that was built. */
export const GOLDEN_FILE = fileURLToPath(new URL("../../test/golden/golden.json", import.meta.url));

/** How the file is made anew. */
export const RENEW = "npm run build && node packages/sddp/dist-test/golden/renew.js";

/** All examples. */
export const EXAMPLES: readonly string[] = readdirSync(
  fileURLToPath(new URL("../../../../examples/cases", import.meta.url)),
).sort();

export function readGolden(): Results {
  return JSON.parse(readFileSync(GOLDEN_FILE, "utf8"));
}
