/** What a simulation tells about itself, and the hash of its tables. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { type Policy, simulate, train } from "@cobre/sddp";
import { clockOfTests, Events, sum, tutorial } from "./told-events.js";

/** The hash of the hashes of scenarios: of each table's columns their names, lengths and values, NaN for none. */
async function hashOf(scenarios: number, source: Case, policy: Policy): Promise<string> {
  using comm = new LocalCommunicator();
  const whole = createHash("sha256");
  await simulate(comm, source, policy, {
    scenarios,
    onScenario: (_, tables) => {
      const one = createHash("sha256");
      for (const [table, columns] of Object.entries(tables)) {
        for (const { name, data } of columns) {
          const values = Array.from(data);
          one.update(`${table} ${name} ${values.length}`);
          one.update(Buffer.from(Float64Array.from(values).buffer));
        }
      }
      whole.update(one.digest());
    },
  });
  return whole.digest("hex");
}

describe("the events of a simulation", () => {
  clockOfTests();

  it("count scenarios and solves", async () => {
    using comm = new LocalCommunicator();
    const source = await tutorial();
    const { policy } = await train(comm, source);
    const events = new Events();
    const seen: number[] = [];
    const { costs, statistics } = await simulate(comm, source, policy, {
      scenarios: 4,
      onEvent: events.listen,
      onScenario: (scenario) => seen.push(scenario),
    });
    assert.deepEqual(seen, [0, 1, 2, 3]);
    assert.equal(costs.length, 4);
    assert.equal(statistics.mean, sum([...costs]) / 4);
    assert.deepEqual(events.of("simulation_started"), [
      { type: "simulation_started", scenarios: 4 },
    ]);
    assert.deepEqual(
      events.of("scenario_done").map(({ done, of }) => [done, of]),
      [
        [1, 4],
        [2, 4],
        [3, 4],
        [4, 4],
      ],
    );
    assert.deepEqual(events.of("bases_replaced"), []);
    const [done] = events.of("simulation_done");
    assert.equal(done.scenarios, 4);
    assert.ok(done.ms > 0 && done.ms < 600_000);
    assert.deepEqual(
      done.solves.map(({ phase, stage, solves }) => [phase, stage, solves]),
      [0, 1, 2].map((stage) => ["simulation", stage, 4]),
    );
  });

  it("end with an interruption", async () => {
    using comm = new LocalCommunicator();
    const source = await tutorial();
    const { policy } = await train(comm, source);
    const events = new Events();
    let calls = 0;
    await assert.rejects(
      simulate(comm, source, policy, {
        scenarios: 4,
        onEvent: events.listen,
        isInterrupted: () => ++calls === 3,
      }),
      { kind: "Interrupted" },
    );
    assert.equal(events.of("scenario_done").length, 2);
    assert.equal(calls, 3);
  });

  it("have the number of scenarios of the case, and other tables another hash", async () => {
    using comm = new LocalCommunicator();
    const source = await tutorial();
    const { policy } = await train(comm, source);
    const fewer = { ...source.config, simulation: { ...source.config.simulation, scenarios: 2 } };
    const two = await simulate(comm, { ...source, config: fewer }, policy);
    assert.equal(two.costs.length, 2);
    const again = await simulate(comm, source, policy, { scenarios: 2 });
    assert.equal(again.hash, two.hash);
    assert.equal(two.hash, await hashOf(2, source, policy));
    const three = await simulate(comm, source, policy, { scenarios: 3 });
    assert.notEqual(three.hash, two.hash);
    assert.deepEqual([...three.costs.slice(0, 2)], [...two.costs]);
  });
});
