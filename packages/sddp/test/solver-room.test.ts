/** How many memories the programs of a model get, and that the bits do not depend on it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { hashPolicy, train } from "@cobre/sddp";
import { type LpSolver, loadSolver } from "@cobre/solver";
import { withRoomFor } from "#internal";
import { caseNamed, changed } from "./cases.js";

/** A solver that writes down how many memories it is asked for. */
async function asked(stages: number, dimension: number, isLimited = true): Promise<number[]> {
  const counts: number[] = [];
  const solver = {
    ...(isLimited && {
      withMemories: async (count: number) => {
        counts.push(count);
        return solver;
      },
    }),
  } as unknown as LpSolver;
  assert.equal(await withRoomFor(solver, { stages, dimension }), solver);
  return counts;
}

describe("the memories of a solver", () => {
  it("are as many as 10,000 cuts a stage need, with 1 GiB each, and no more than programs", async () => {
    assert.deepEqual(await asked(24, 16), []);
    assert.deepEqual(await asked(60, 200), [8]);
    assert.deepEqual(await asked(60, 1120), [41]);
    assert.deepEqual(await asked(60, 5000), [60]);
    assert.deepEqual(await asked(60, 5000, false), [], "one without a limit");
  });

  it("do not change the bits", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await caseNamed("one-reservoir"), { iterations: 3 });
    const one = await train(comm, source);
    const solver = await (await loadSolver("highs")).withMemories?.(3);
    const three = await train(comm, source, { solver });
    assert.deepEqual(hashPolicy(three.policy), hashPolicy(one.policy));
  });
});
