/** Training that waits between its iterations, and what it says of its end. */
import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import type { StoppingRule } from "@cobre/io";
import { hashPolicy, type Policy } from "@cobre/sddp";
import { caseNamed, changed } from "../cases.js";
import { clockOfTests, trainAndListen, tutorial } from "./told-events.js";

describe("training that is held", () => {
  clockOfTests();

  it("can be looked at after each iteration, and the time of that is not its own", async () => {
    const alone = await trainAndListen(await tutorial(3));
    const seen: Policy[] = [];
    const held: number[] = [];
    const { policy, elapsedMs, events } = await trainAndListen(await tutorial(3), {
      hold: (iteration, policyOf) => {
        held.push(iteration);
        seen.push(policyOf());
        if (iteration === 2) return undefined;
        return Promise.resolve().then(() => {
          const now = performance.now() + 3_600_000;
          let more = 0;
          mock.method(performance, "now", () => now + more++);
        });
      },
    });
    assert.deepEqual(held, [1, 2, 3]);
    assert.deepEqual(
      seen.map(({ iteration, history }) => [iteration, history.length]),
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    );
    assert.deepEqual(hashPolicy(policy), hashPolicy(alone.policy));
    assert.ok(elapsedMs > 0 && elapsedMs < alone.elapsedMs + 20, `${elapsedMs}`);
    const last = events.of("iteration_done").at(-1)?.elapsedMs ?? Number.NaN;
    assert.ok(last > 0 && last < elapsedMs, `${last}`);
  });

  it("is interrupted at once if that is asked for meanwhile", async () => {
    let isAsked = false;
    const { termination, hasConverged, policy } = await trainAndListen(await tutorial(5), {
      hold: async () => {
        isAsked = true;
      },
      isInterrupted: () => isAsked,
    });
    assert.deepEqual([termination, hasConverged, policy.iteration], ["interrupted", false, 1]);
  });
});

describe("training that has ended", () => {
  const ENDS: readonly [rules: readonly StoppingRule[], hasConverged: boolean][] = [
    [[{ type: "iteration_limit", limit: 2 }], false],
    [
      [
        { type: "iteration_limit", limit: 40 },
        { type: "bound_stalling", iterations: 3, tolerance: 1e-9 },
      ],
      true,
    ],
  ];
  for (const [rules, hasConverged] of ENDS) {
    const { type } = rules[rules.length - 1];
    it(`by ${type} ${hasConverged ? "has" : "has not"} converged`, async () => {
      const source = changed(await caseNamed("sddp-tutorial"), { rules });
      const ended = await trainAndListen(source);
      assert.deepEqual([ended.termination, ended.hasConverged], [type, hasConverged]);
    });
  }
});
