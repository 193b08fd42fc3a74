import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { simulate, train } from "@cobre/sddp";
import { noReferenceCases, referenceCases } from "@cobre/testing/needs";
import { inScope, runsQuick } from "@cobre/testing/scope";
import { caseNamed, changed } from "./cases.js";

interface Expected {
  readonly lower_bound: number;
  readonly simulation_mean?: number;
  readonly tolerance: number;
}

const CASES = ["d01", "d02", "d03", "d05", "d09", "d13", "d14", "d15", "d16", "d20", "d25", "d27"];

const TRACE = [
  1036235.1443806, 1386117.440577, 1399205.1109404, 1449433.6834453, 1609018.6298433,
  1667472.0864541, 1928357.7000046, 1941461.0932213, 1972848.4921645, 1998656.4192142,
];
const PATH_COSTS = [2747183.2793327, 589957.9988331, 2232982.8037748];
/** Of the sampled tree, exactly. */
const OPTIMUM = 2605944.586104;

if (referenceCases === undefined) {
  noReferenceCases("the costs of the Cobre project");
} else {
  const text = readFileSync(join(referenceCases, "expected.json"), "utf8");
  const expected = JSON.parse(text) as Record<string, Expected>;

  describe("the costs of the Cobre project", () => {
    for (const iterations of inScope({ quick: [], rest: [60] })) {
      it("1dtoy converges to its optimum with more passes", async () => {
        using comm = new LocalCommunicator();
        const source = changed(await caseNamed("1dtoy"), { forwardPasses: 8, iterations });
        const { lowerBound } = await train(comm, source);
        assert.ok(Math.abs(lowerBound / OPTIMUM - 1) < 1e-5, `${lowerBound}`);
      });
    }

    if (!runsQuick) return;

    for (const name of Object.keys(expected)) {
      if (!CASES.includes(name.split("-")[0] ?? "")) continue;
      it(name, async () => {
        using comm = new LocalCommunicator();
        const source = await caseNamed(name);
        const { lowerBound, policy } = await train(comm, source);
        const { lower_bound, tolerance, simulation_mean } = expected[name] as Expected;
        assert.ok(Math.abs(lowerBound - lower_bound) <= tolerance, `${lowerBound}`);
        if (simulation_mean === undefined) return;
        const { statistics } = await simulate(comm, source, policy, { scenarios: 3 });
        assert.ok(Math.abs(statistics.mean - simulation_mean) <= tolerance, `${statistics.mean}`);
      });
    }

    it("1dtoy: the published trace, and never above the optimum", async () => {
      using comm = new LocalCommunicator();
      const { policy } = await train(comm, await caseNamed("1dtoy"));
      const near = (value: number, published: number) =>
        assert.ok(Math.abs(value / published - 1) < 1e-6, `${value} for ${published}`);
      TRACE.forEach((bound, i) => {
        near(policy.history[i].lowerBound, bound);
      });
      PATH_COSTS.forEach((cost, i) => {
        near(policy.history[i].upperBoundMean, cost);
      });
      let previous = 0;
      for (const { lowerBound } of policy.history) {
        assert.ok(lowerBound <= OPTIMUM * (1 + 1e-9), `${lowerBound} is above the optimum`);
        assert.ok(lowerBound >= previous - 1e-6, "the bound has fallen");
        previous = lowerBound;
      }
      assert.ok(previous > 0.999 * OPTIMUM, `${previous} has not come near`);
    });
  });
}
