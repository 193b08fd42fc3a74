/**
 * The coefficients of cuts are the slopes of the cost, by storage and by every lag, and no cut lies above the cost. The systems are random;
 * the cost is that of a program written from their descriptions. A failure names the seed, the stage, the component and both numbers.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadSolver } from "@cobre/solver";
import { Dice } from "@cobre/testing/fuzz";
import { inScope } from "@cobre/testing/scope";
import { arcsOf, furthestOf, generateSystem } from "../oracle/index.js";
import { type Compared, checkOwnSlopes } from "./own-slopes.js";
import { checkAllCuts, checkNewCuts, checkStageSlopes } from "./slopes.js";
import { forSystems } from "./small-run.js";

/** First and last seed. */
const SEEDS = inScope<readonly [number, number]>({
  // One by one: such a run stops at the first failure.
  few: Array.from({ length: 10 }, (_, i) => [i + 1, i + 1] as const),
  quick: [[1, 40]],
  rest: [[41, 300]],
});

describe("slopes of cuts", async () => {
  const solver = await loadSolver("highs");
  for (const [first, last] of SEEDS) {
    it(`of the systems ${first} to ${last}`, () =>
      forSystems(first, last, (trained, folder) => {
        const dice = new Dice(trained.system.seed);
        checkNewCuts(trained, solver);
        checkAllCuts(trained, solver, dice);
        checkStageSlopes(trained, folder, solver, dice);
      }));
  }
});

/** First and last seed. */
const LINKED = inScope<readonly [number, number]>({ quick: [[1, 60]], rest: [[61, 360]] });

describe("slopes by water on its way and by commitments", async () => {
  const solver = await loadSolver("highs");
  for (const [first, last] of LINKED) {
    it(`of the systems ${first} to ${last} that have them`, async () => {
      const compared: Compared = new Map();
      for (let seed = first; seed <= last; seed++) {
        const system = generateSystem(seed);
        const isCommitted = system.thermals.some((thermal) => furthestOf(system, thermal) > 0);
        if (arcsOf(system).length === 0 && !isCommitted) continue;
        await checkOwnSlopes(system, solver, compared);
      }
      for (const family of ["in_transit", "commitment"]) {
        assert.ok((compared.get(family) ?? 0) > 50, `only ${compared.get(family)} of ${family}`);
      }
    });
  }
});
