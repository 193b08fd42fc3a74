/** Stopping rules that need more than the history of training: simulations of the policy, and the clock. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { StoppingRule } from "@cobre/io";
import { simulate } from "@cobre/sddp";
import { caseNamed, changed } from "../cases.js";
import { clockOfTests, trainAndListen } from "./told-events.js";

describe("the simulations of a stopping rule", () => {
  clockOfTests();

  const rule = (replications: number): StoppingRule => ({
    type: "simulation",
    replications,
    period: 2,
    boundWindow: 1,
    boundTolerance: 1e9,
    distanceTolerance: 0,
  });
  const ruled = async (iterations: number, ...rules: StoppingRule[]) =>
    changed(await caseNamed("sddp-tutorial"), {
      forwardPasses: 3,
      rules: [{ type: "iteration_limit", limit: iterations }, ...rules],
    });

  it("have the mean costs of the stages that a simulation of the policy has", async () => {
    const source = await ruled(4, rule(5));
    const { policy, events } = await trainAndListen(source);
    using comm = new LocalCommunicator();
    const means = [0, 0, 0];
    await simulate(comm, source, policy, {
      scenarios: 5,
      onScenario: (_, { costs }) => {
        const column = costs.find(({ name }) => name === "immediate_cost");
        column?.data.forEach((cost, stage) => {
          means[stage] += (cost as number) / 5;
        });
      },
    });
    const [simulation] = policy.ruleStates;
    assert.ok(means.some((mean) => mean > 0));
    means.forEach((mean, stage) => {
      assert.ok(Math.abs(simulation.values[stage] - mean) <= 1e-9 * Math.max(1, mean));
    });
    assert.deepEqual(
      events.of("simulation_compared").map(({ iteration, lpSolves }) => [iteration, lpSolves]),
      [
        [2, 15],
        [4, 15],
      ],
    );
  });

  it("are compared by their distance, relative to the new one", async () => {
    const { policy: first } = await trainAndListen(await ruled(2, rule(5)));
    const { policy: second, events } = await trainAndListen(await ruled(4, rule(5)), {
      resume: first,
    });
    const [before, now] = [first, second].map(({ ruleStates }) => ruleStates[0].values);
    const norm = (values: Iterable<number>) => Math.hypot(...values);
    const expected = norm(now.map((cost, i) => cost - before[i])) / Math.max(1, norm(now));
    const [compared] = events.of("simulation_compared");
    assert.ok(expected > 0);
    assert.ok(Math.abs((compared.distance as number) - expected) <= 1e-12 * expected);
    assert.ok(compared.ms >= 0 && compared.ms < 600_000);
  });

  it("of a file that names no rule belong to the first rule", async () => {
    const { policy } = await trainAndListen(await ruled(2, rule(5)));
    const nameless = policy.ruleStates.map(({ values }) => ({ rule: undefined, values }));
    const { events } = await trainAndListen(await ruled(4, rule(5), rule(4)), {
      resume: { ...policy, ruleStates: nameless },
    });
    assert.deepEqual(
      events.of("simulation_compared").map(({ distance }) => distance === undefined),
      [false, true],
    );
  });
});

describe("a time limit", () => {
  clockOfTests();

  it("ends training when it has passed, and not before", async () => {
    const limited = async (...limits: number[]) =>
      trainAndListen(
        changed(await caseNamed("sddp-tutorial"), {
          rules: [
            ...limits.map((seconds) => ({ type: "time_limit" as const, seconds })),
            { type: "iteration_limit", limit: 3 },
          ],
        }),
      );
    // The clock goes on by less than a second in an iteration; ten minutes are far away.
    assert.equal((await limited(600, 0.001)).termination, "time_limit");
    assert.equal((await limited(0.001, 600)).termination, "time_limit");
    assert.equal((await limited(600)).termination, "iteration_limit");
  });

  it("that is far away ends nothing", async () => {
    const source = changed(await caseNamed("sddp-tutorial"), {
      rules: [
        { type: "time_limit", seconds: 86_400 },
        { type: "iteration_limit", limit: 2 },
      ],
    });
    const { termination, policy } = await trainAndListen(source);
    assert.deepEqual([termination, policy.iteration], ["iteration_limit", 2]);
  });
});
