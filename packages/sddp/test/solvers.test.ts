import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { decodePolicy, encodePolicy, simulate, train } from "@cobre/sddp";
import { type LpSolver, loadSolver, SolverError, type SolverName } from "@cobre/solver";
import { notHere } from "@cobre/testing/needs";
import { caseNamed, changed } from "./cases.js";

/** A solver, where it is installed. */
async function solverHere(name: SolverName): Promise<LpSolver | undefined> {
  try {
    return await loadSolver(name);
  } catch (error) {
    assert.ok(error instanceof SolverError && error.kind === "SolverNotAvailable", String(error));
    return undefined;
  }
}

const clp = await solverHere("clp");

if (clp === undefined) {
  notHere("training with CLP", "CLP (coinor-libclp1)");
} else {
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

const native = await solverHere("highs-native");

if (native === undefined) {
  notHere("training with highs-native", "highs-native (pip install highspy)");
} else {
  describe("highs-native", () => {
    for (const name of ["sddp-tutorial", "fast"]) {
      it(`finds the costs that highs-wasm finds: ${name}`, async () => {
        using comm = new LocalCommunicator();
        const source = await caseNamed(name);
        const ours = await train(comm, source);
        const theirs = await train(comm, source, { solver: native });
        assert.ok(Math.abs(theirs.lowerBound / ours.lowerBound - 1) < 1e-9);
        assert.equal(theirs.policy.origin.solverFingerprint, native.fingerprint);
      });
    }

    it("goes on where highs-wasm has stopped only if it is allowed to, and the policy names both", async () => {
      using comm = new LocalCommunicator();
      const begun = changed(await caseNamed("one-reservoir"), { iterations: 3 });
      const { policy } = await train(comm, begun);
      const source = changed(await caseNamed("one-reservoir"), { iterations: 6 });
      await assert.rejects(train(comm, source, { resume: policy, solver: native }), {
        kind: "IncompatiblePolicy",
        message: /the bits would differ; use the same solver, allow another one \(--allow-other/,
      });
      const options = { resume: policy, solver: native, allowsOtherSolver: true };
      const gone = await train(comm, source, options);
      assert.equal(gone.policy.iteration, 6);
      const wasm = policy.origin.solverFingerprint;
      const { solverFingerprint, earlierSolvers } = gone.policy.origin;
      assert.deepEqual([solverFingerprint, earlierSolvers], [native.fingerprint, [wasm]]);
      const once = await train(comm, source);
      assert.ok(Math.abs(gone.lowerBound / once.lowerBound - 1) < 0.05);

      // The names survive the file and a further part with the same solver.
      const read = decodePolicy(encodePolicy(gone.policy), "policy");
      assert.deepEqual(read.origin.earlierSolvers, [wasm]);
      const longer = changed(await caseNamed("one-reservoir"), { iterations: 7 });
      const last = await train(comm, longer, { resume: read, solver: native });
      assert.deepEqual(last.policy.origin.earlierSolvers, [wasm]);
    });

    it("leaves nothing about solvers in a policy of one alone", async () => {
      using comm = new LocalCommunicator();
      const source = await caseNamed("fast");
      const { policy } = await train(comm, source, { solver: native });
      const resumed = await train(comm, source, { resume: policy, solver: native });
      assert.equal("earlierSolvers" in resumed.policy.origin, false);
    });
  });
}
