/** The parser, installed on demand: only changing code needs it. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tryToRun } from "../packages/outside.mjs";
import { ROOT } from "../prepare.mjs";

/** Exact, for repeatability. */
const ACORN = "8.15.0";

/** `parse` of acorn, or `undefined` if it cannot be had. */
export async function loadParser() {
  const folder = join(ROOT, "out", `mutate-tools-${ACORN}`);
  const complete = join(folder, "complete");
  if (!existsSync(complete)) {
    mkdirSync(folder, { recursive: true });
    const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    const all = [...args, "--prefix", folder, `acorn@${ACORN}`];
    const { isFine, output } = tryToRun("npm", all, folder);
    if (!isFine) {
      console.error(`acorn ${ACORN} could not be installed\n${output}`);
      return undefined;
    }
    mkdirSync(complete);
  }
  const { parse } = await import(
    pathToFileURL(join(folder, "node_modules/acorn/dist/acorn.mjs")).href
  );
  return parse;
}
