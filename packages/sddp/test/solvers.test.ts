import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { simulate, train } from "@cobre/sddp";
import { type LpSolver, loadSolver, SolverError } from "@cobre/solver";
import { caseNamed, changed } from "./cases.js";

/** CLP, where it is installed; under `CI=true` it must be. */
async function clpHere(): Promise<LpSolver | undefined> {
  try {
    return await loadSolver("clp");
  } catch (error) {
    assert.ok(error instanceof SolverError && error.kind === "SolverNotAvailable", String(error));
    assert.notEqual(process.env.CI, "true", "CLP is not installed (coinor-libclp1)");
    console.log("not run: training with clp, which is not installed (coinor-libclp1)");
    return undefined;
  }
}

const clp = await clpHere();

if (clp !== undefined) {
  describe("CLP finds the costs that HiGHS finds", () => {
    for (const name of ["sddp-tutorial", "fast"]) {
      it(name, async () => {
        using comm = new LocalCommunicator();
        const source = await caseNamed(name);
        const ours = await train(comm, source);
        const theirs = await train(comm, source, { solver: clp });
        assert.ok(Math.abs(theirs.lowerBound / ours.lowerBound - 1) < 1e-9);
      });
    }

    it("and a policy that one of them trained, the other simulates", async () => {
      using comm = new LocalCommunicator();
      const source = changed(await caseNamed("one-reservoir"), { iterations: 20 });
      const { policy } = await train(comm, source, { solver: clp });
      const ours = await simulate(comm, source, policy, { scenarios: 20 });
      const theirs = await simulate(comm, source, policy, { scenarios: 20, solver: clp });
      assert.ok(Math.abs(theirs.statistics.mean / ours.statistics.mean - 1) < 0.01);
    });

    it("but training does not go on with the other", async () => {
      using comm = new LocalCommunicator();
      const source = await caseNamed("fast");
      const { policy } = await train(comm, source, { solver: clp });
      await assert.rejects(train(comm, source, { resume: policy }), /the bits would differ/);
    });
  });
}
