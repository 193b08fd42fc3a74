/** How a failure is told: in few lines, with a case that can be run. */
import { rmSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import type { LpSolver } from "@cobre/solver";
import { checkSystem, type Verdict } from "./check.js";
import { shrink } from "./shrink.js";
import type { SmallSystem } from "./system.js";
import { writeCase } from "./write-case.js";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** Where the cases of failures are kept: with what is built, so that they outlive the temporary files of a run. */
export const KEPT = fileURLToPath(new URL("./failed", import.meta.url));

/** Shrinks a system that fails, keeps it as a case, and tells about it. */
export async function reportFailure(
  system: SmallSystem,
  verdict: Verdict,
  scratch: string,
  solver: LpSolver,
): Promise<string> {
  let last = verdict;
  const fails = async (smaller: SmallSystem): Promise<boolean> => {
    rmSync(scratch, { recursive: true, force: true });
    try {
      const found = await checkSystem(smaller, scratch, solver);
      if (found.failure === undefined || found.hasThrown !== verdict.hasThrown) return false;
      last = found;
      return true;
    } catch {
      return false; // the smaller system has no solution: that is another matter
    }
  };
  const { system: smallest, attempts } = await shrink(system, fails);
  const directory = resolve(KEPT, `seed-${system.seed}`);
  rmSync(directory, { recursive: true, force: true });
  writeCase(smallest, directory, { iterations: 100 });
  return [
    `seed ${system.seed}: ${verdict.failure}`,
    numbersOf(verdict),
    `shrunk in ${attempts} attempts: ${last.failure}`,
    numbersOf(last),
    inspect(compact(smallest), { depth: null, breakLength: 130, compact: 6 }),
    `run it: npx cobre run ${relative(ROOT, directory)}`,
    `its lower bound ${last.isExact ? "must become" : "must not rise above"} ${last.expected}`,
  ].join("\n");
}

export function numbersOf({ expected, lowerBound, walked, iterations, isExact }: Verdict): string {
  return (
    `  expected ${isExact ? "" : "at most "}${expected}, which is the optimum of the whole tree; ` +
    `found the bound ${lowerBound} after ${iterations} iterations, and ${walked} over all paths`
  );
}

/** The description without what is absent: nulls, empty lists and objects, false, noise that nothing uses. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => compact(item) ?? {});
  if (typeof value !== "object" || value === null) return value;
  const own = value as Record<string, unknown>;
  const isQuiet = own.std === 0;
  const entries = Object.entries(own)
    .filter(([name]) => !(isQuiet && (name === "noise" || name === "std")))
    .filter(([name]) => !(name === "ratio" && isEmpty(own.coefficients)))
    .map(([name, item]) => [name, compact(item)] as const)
    .filter(([, item]) => item !== false && !isEmpty(item));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (!Array.isArray(value)) return false;
  return value.every((item) => isEmpty(item) || (typeof item === "object" && isHollow(item)));
}

function isHollow(item: object): boolean {
  return Object.keys(item).length === 0;
}
