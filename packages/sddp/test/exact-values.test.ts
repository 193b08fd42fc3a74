import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { simulate, train } from "@cobre/sddp";
import { type Changes, caseNamed, changed } from "./cases.js";

async function bound(source: Case): Promise<number> {
  using comm = new LocalCommunicator();
  return (await train(comm, source)).lowerBound;
}

describe("problems whose optimum is known", () => {
  const tutorial: readonly [what: string, changes: Changes, optimum: number][] = [
    ["expectation", {}, 8_333_333.3333],
    ["CVaR", { risk: { kind: "cvar", alpha: 0.5, lambda: 1 } }, 15_000_000],
    ["half CVaR", { risk: { kind: "cvar", alpha: 0.5, lambda: 0.5 } }, 11_458_333.3333],
    [
      "half CVaR as Cobre 0.5 weighs it",
      { risk: { kind: "cvar", alpha: 0.5, lambda: 0.5 }, compat: "cobre-0.5" },
      12_500_000,
    ],
  ];
  for (const [what, changes, optimum] of tutorial) {
    it(`the first tutorial of SDDP.jl, ${what}`, async () => {
      const value = await bound(changed(await caseNamed("sddp-tutorial"), changes));
      assert.ok(Math.abs(value - optimum) < 0.01, `${value}`);
    });
  }

  it("FAST hydro-thermal", async () => {
    const value = await bound(await caseNamed("fast"));
    assert.ok(Math.abs(value - 10_000) < 1e-3, `${value}`);
  });

  it("costs below 0 are found: nothing holds the future at 0", async () => {
    const source = await caseNamed("sddp-tutorial");
    const { costPerMwh } = source.study.thermals;
    costPerMwh.values.fill(-50);
    // Three stages of 1000 h in which 1000 MW earn 50 each; what is too much goes away for almost nothing.
    const value = await bound(source);
    assert.ok(Math.abs(value / -150_000_000 - 1) < 1e-6, `${value}`);
  });

  it("what every path costs at least is known before the first cut", async () => {
    using comm = new LocalCommunicator();
    const source = await caseNamed("sddp-tutorial");
    // At least 10 MW for 50, 100 and 150 $/MWh in stages of 1000 h.
    source.study.thermals.minGenerationMw.values.fill(10);
    const { policy } = await train(comm, changed(source, { iterations: 1 }));
    assert.ok(policy.initialBound >= 10 * 300 * 1000 - 1e-6, `${policy.initialBound}`);
  });

  it("a simulated path of FAST costs nothing, or 4 MW for 1000 h", async () => {
    using comm = new LocalCommunicator();
    const source = await caseNamed("fast");
    const { policy } = await train(comm, source);
    const { costs, statistics } = await simulate(comm, source, policy, { scenarios: 40 });
    assert.ok(costs.every((cost) => Math.abs(cost) < 1e-3 || Math.abs(cost - 20_000) < 1e-3));
    assert.equal(statistics.count, 40);
  });
});
