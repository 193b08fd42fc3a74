import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import {
  decodePolicy,
  encodePolicy,
  hashPolicy,
  type Policy,
  SddpError,
  simulate,
  train,
} from "@cobre/sddp";
import { caseNamed, changed } from "./cases.js";

const SHORT = { iterations: 6, forwardPasses: 3 };

describe("a policy", () => {
  it("goes through a file to the same bits", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await caseNamed("one-reservoir"), SHORT);
    const { policy } = await train(comm, source);
    const read = decodePolicy(encodePolicy(policy), "policy");
    assert.ok(policy.origin.floors !== undefined);
    assert.deepEqual(read.origin, policy.origin);
    assert.deepEqual(hashPolicy(read), hashPolicy(policy));
    assert.deepEqual(read.history, policy.history);
    const simulated = await simulate(comm, source, policy, { scenarios: 10 });
    const again = await simulate(comm, source, read, { scenarios: 10 });
    assert.equal(again.hash, simulated.hash);
  });

  it("that is damaged, cut short, of another kind or version is refused", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await caseNamed("fast"), { iterations: 2 });
    const bytes = encodePolicy((await train(comm, source)).policy);
    const refused = (damaged: Uint8Array, message: RegExp) =>
      assert.throws(
        () => decodePolicy(damaged, "policy.bin"),
        (error) =>
          error instanceof SddpError &&
          error.kind === "InvalidPolicy" &&
          error.message.startsWith("policy.bin cannot be used") &&
          message.test(error.message),
      );
    const flipped = bytes.slice();
    flipped[bytes.length >> 1] ^= 1;
    refused(flipped, /checksum/);
    refused(bytes.subarray(0, bytes.length - 9), /checksum/);
    refused(new Uint8Array(0), /not a policy file/);
    refused(new TextEncoder().encode("{}".repeat(50)), /not a policy file/);
    const newer = bytes.slice();
    newer[8] = 2;
    refused(newer, /version 2/);
  });
});

describe("training that goes on", () => {
  it("after an interruption ends in the bits of one that was never interrupted", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await caseNamed("one-reservoir"), SHORT);
    const whole = await train(comm, source);
    let written: Uint8Array | undefined;
    let asked = 0;
    const stopped = await train(comm, source, {
      isInterrupted: () => ++asked === 4,
      checkpoint: {
        every: 3,
        write: (policy) => {
          written = encodePolicy(policy);
        },
      },
    });
    assert.equal(stopped.termination, "interrupted");
    assert.equal(stopped.policy.iteration, 4);
    const checkpoint = decodePolicy(written as Uint8Array, "checkpoint");
    assert.equal(checkpoint.iteration, 4);
    const resumed = await train(comm, source, { resume: checkpoint });
    assert.deepEqual(hashPolicy(resumed.policy), hashPolicy(whole.policy));
    assert.equal(resumed.lowerBound, whole.lowerBound);
  });

  it("from a policy that is done does nothing", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await caseNamed("fast"), { iterations: 3 });
    const { policy } = await train(comm, source);
    const again = await train(comm, source, { resume: policy });
    assert.equal(again.policy.iteration, 3);
    assert.deepEqual(hashPolicy(again.policy), hashPolicy(policy));
  });

  it("begins with the cuts of a warm start, also on other data", async () => {
    using comm = new LocalCommunicator();
    const source = await caseNamed("sddp-tutorial");
    const { policy } = await train(comm, changed(source, { iterations: 15 }));
    const warm = await train(comm, changed(source, { iterations: 1 }), { warmStart: policy });
    assert.equal(warm.policy.iteration, 1);
    assert.ok(Math.abs(warm.lowerBound - 8_333_333.3333) < 0.01);
    const [pool] = warm.policy.pools;
    assert.equal(pool.iteration(0), 0);
    assert.equal(pool.iteration(pool.count - 1), 1);
  });

  const refusals: readonly [what: string, policyOf: () => Promise<Policy>, message: RegExp][] = [
    ["another case", () => trained("fast", {}), /of another case: stages 2 instead of 3/],
    [
      "other forward passes",
      () => trained("sddp-tutorial", { forwardPasses: 1 }),
      /1 forward pass, but the case asks for 2/,
    ],
    [
      "other data",
      () => trained("sddp-tutorial", { risk: { kind: "cvar", alpha: 0.5, lambda: 1 } }),
      /trained on other data/,
    ],
  ];
  for (const [what, policyOf, message] of refusals) {
    it(`refuses a policy of ${what}`, async () => {
      using comm = new LocalCommunicator();
      const resume = await policyOf();
      const source = await caseNamed("sddp-tutorial");
      await assert.rejects(train(comm, source, { resume }), (error) => {
        assert.ok(error instanceof SddpError && error.kind === "IncompatiblePolicy");
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it("refuses a policy that another solver made", async () => {
    using comm = new LocalCommunicator();
    const policy = await trained("sddp-tutorial", {});
    const origin = { ...policy.origin, solverFingerprint: "another solver" };
    const source = await caseNamed("sddp-tutorial");
    await assert.rejects(train(comm, source, { resume: { ...policy, origin } }), /another solver/);
  });
});

async function trained(name: string, changes: Parameters<typeof changed>[1]): Promise<Policy> {
  using comm = new LocalCommunicator();
  const source = changed(await caseNamed(name), { iterations: 1, ...changes });
  return (await train(comm, source)).policy;
}
