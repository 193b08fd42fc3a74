/** A run that a rule has ended is still ended when it is resumed under the same rules. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { StoppingRule } from "@cobre/io";
import { decodePolicy, encodePolicy, hashPolicy, type Termination, train } from "@cobre/sddp";
import { caseNamed, changed } from "./cases.js";

const LIMIT: StoppingRule = { type: "iteration_limit", limit: 40 };
const STALLING: StoppingRule = { type: "bound_stalling", iterations: 3, tolerance: 1e-9 };
const SIMULATION: StoppingRule = {
  type: "simulation",
  replications: 10,
  period: 3,
  boundWindow: 1,
  distanceTolerance: 1e-3,
  boundTolerance: 1e-3,
};
const ENDLESS = { ...LIMIT, limit: 1000 };

const ENDINGS: readonly [
  termination: Termination,
  rules: readonly StoppingRule[],
  mode: "any" | "all",
][] = [
  ["bound_stalling", [LIMIT, STALLING], "any"],
  ["simulation", [LIMIT, SIMULATION], "any"],
  ["iteration_limit", [{ ...LIMIT, limit: 3 }, STALLING], "any"],
  ["simulation", [{ ...LIMIT, limit: 5 }, { type: "time_limit", seconds: 0 }, SIMULATION], "all"],
];

describe("resuming a run that has ended", () => {
  for (const [ending, rules, mode] of ENDINGS) {
    it(`by ${ending}, ${mode} of ${rules.length} rules, does nothing and gives the same reason`, async () => {
      using comm = new LocalCommunicator();
      const source = changed(await caseNamed("sddp-tutorial"), { rules, mode });
      const first = await train(comm, source);
      assert.equal(first.termination, ending);
      const resume = decodePolicy(encodePolicy(first.policy), "policy");
      const again = await train(comm, source, { resume });
      assert.equal(again.policy.iteration, first.policy.iteration);
      assert.equal(again.termination, ending);
      assert.deepEqual(hashPolicy(again.policy), hashPolicy(first.policy));
      const third = await train(comm, source, { resume: again.policy });
      assert.equal(third.policy.iteration, first.policy.iteration);
    });
  }

  it("trains on if the rule that ended it is gone or asks for more", async () => {
    using comm = new LocalCommunicator();
    const tutorial = await caseNamed("sddp-tutorial");
    const { policy } = await train(comm, changed(tutorial, { rules: [LIMIT, SIMULATION] }));
    const stricter = { ...SIMULATION, replications: 11 };
    const limit = { ...LIMIT, limit: policy.iteration + 1 };
    for (const rules of [[limit], [limit, stricter]]) {
      const again = await train(comm, changed(tutorial, { rules }), { resume: policy });
      assert.equal(again.policy.iteration, policy.iteration + 1);
      assert.equal(again.termination, "iteration_limit");
    }
  });

  it("by a time limit trains on: the limit is for each run", async () => {
    using comm = new LocalCommunicator();
    const rules: StoppingRule[] = [ENDLESS, { type: "time_limit", seconds: 0 }];
    const source = changed(await caseNamed("fast"), { rules });
    const { policy } = await train(comm, source);
    const again = await train(comm, source, { resume: policy });
    assert.equal(again.policy.iteration, policy.iteration + 1);
  });
});
