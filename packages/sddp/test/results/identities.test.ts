/**
 * What the columns of the results claim (docs/outputs.md), checked on random systems from the written tables and the description of the system
 * alone. A failure names the seed, the row and both numbers.
 */
import { describe, it } from "node:test";
import { loadSolver } from "@cobre/solver";
import { inScope } from "@cobre/testing/scope";
import { checkCosts } from "./costs.js";
import { checkDerivatives } from "./derivatives.js";
import { checkOpenings } from "./openings.js";
import { checkPower } from "./power.js";
import { forSystems, simulatePaths } from "./small-run.js";
import { checkWater } from "./water.js";

/** First and last seed. */
const SEEDS = inScope<readonly [number, number]>({
  // One by one: such a run stops at the first failure.
  few: Array.from({ length: 10 }, (_, i) => [i + 1, i + 1] as const),
  quick: [[1, 40]],
  rest: [[41, 300]],
});
const PATHS = 2;

describe("identities of the results", async () => {
  const solver = await loadSolver("highs");
  for (const [first, last] of SEEDS) {
    it(`of the systems ${first} to ${last}`, () =>
      forSystems(first, last, async (trained, folder) => {
        const paths = await simulatePaths(trained, folder, PATHS);
        paths.forEach((path, i) => {
          const { tables } = path;
          checkWater(trained, tables);
          checkPower(trained, tables);
          checkCosts(trained, path);
          checkOpenings(trained, tables);
          checkDerivatives(trained, tables, solver, (stage) => stage % PATHS === i);
        });
      }));
  }
});
