/** With lags, a truncated inflow is not a convex function of the state. Cuts must lie below the cost all the same. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { train } from "@cobre/sddp";
import { InflowModel } from "@cobre/stochastic";
import { caseNamed, changed } from "./cases.js";

const PAST = 50;
const NOISE = [0, 50, 100];
const COST = [50, 100, 150];
const LOAD = 150;
const MOST = 200;

/** The tutorial problem with an inflow of base + ψ · (last inflow) + noise, but at least 0. */
async function withLag(base: number, psi: number): Promise<Case> {
  const source = changed(await caseNamed("sddp-tutorial"), { iterations: 60 });
  const { config, study, uncertainty } = source;
  const inflow = new InflowModel(3, 1, 1);
  inflow.base.fill(base);
  inflow.psi.fill(psi);
  inflow.sigma.fill(1);
  const { initialConditions } = study;
  return {
    ...source,
    config: {
      ...config,
      inflowNonNegativity: { ...config.inflowNonNegativity, method: "truncation" },
    },
    study: { ...study, initialConditions: { ...initialConditions, pastInflowsM3s: [[PAST]] } },
    uncertainty: { ...uncertainty, inflow },
  };
}

/**
 * The optimum by dynamic programming over whole units of water. All data are whole numbers, so there is an optimal policy in whole
 * units. In the units of the case it is multiplied by the hours of a stage.
 */
function optimum(base: number, psi: number): number {
  const known = new Map<string, number>();
  const futureCost = (stage: number, storage: number, lag: number): number => {
    if (stage === COST.length) return 0;
    const key = `${stage} ${storage} ${lag}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    let mean = 0;
    for (const noise of NOISE) {
      const inflow = Math.max(0, base + psi * lag + noise);
      const water = storage + inflow;
      let best = Number.POSITIVE_INFINITY;
      for (let kept = 0; kept <= Math.min(MOST, water); kept++) {
        const hydro = Math.min(LOAD, water - kept);
        const cost = COST[stage] * (LOAD - hydro) + futureCost(stage + 1, kept, inflow);
        best = Math.min(best, cost);
      }
      mean += best / NOISE.length;
    }
    known.set(key, mean);
    return mean;
  };
  return 1000 * futureCost(0, MOST, PAST);
}

describe("the bound with truncated inflows that depend on past ones", () => {
  const problems: readonly [base: number, psi: number, share: number][] = [
    [-60, 1, 0.9],
    [-20, 1, 0.9],
    [60, -1, 0.8],
    [0, 1, 0.999999], // never below 0, so nothing is truncated
  ];
  for (const [base, psi, share] of problems) {
    it(`base ${base}, ψ ${psi}: never above the optimum, and near it`, async () => {
      using comm = new LocalCommunicator();
      const { policy, lowerBound } = await train(comm, await withLag(base, psi));
      const best = optimum(base, psi);
      for (const { lowerBound: bound } of policy.history) {
        assert.ok(bound <= best * (1 + 1e-9), `${bound} is above the optimum ${best}`);
      }
      assert.ok(lowerBound > share * best, `${lowerBound} is far below the optimum ${best}`);
    });
  }
});
