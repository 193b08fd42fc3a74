/** How long a rank keeps its core, on a clock that is told the time. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { CoreKeeper } from "#internal";

const NOBODY = () => [];

/** A keeper without a scheduler, and how many rounds of `roundMs` it looks. */
function roundsOf(t: TestContext, roundMs: number): { keeper: CoreKeeper; rounds: number } {
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  const keeper = new CoreKeeper(undefined, [undefined, undefined]);
  keeper.begin();
  for (let rounds = 0; ; rounds++) {
    now += roundMs;
    const advice = keeper.advise(NOBODY);
    if (advice !== "look") {
      assert.equal(advice, "sleep");
      return { keeper, rounds };
    }
    assert.ok(rounds < 1e6, "it looks for ever");
  }
}

describe("a rank that keeps its core", () => {
  it("looks for two turns", (t) => {
    const { keeper, rounds } = roundsOf(t, 0.01);
    assert.equal(keeper.patienceMs, 8);
    assert.ok(Math.abs(rounds - 800) <= 1, `${rounds} rounds`);
  });

  it("looks on after one interruption, however long, and not after two", (t) => {
    for (const roundMs of [0.5, 4, 1000]) assert.equal(roundsOf(t, roundMs).rounds, 1);
  });

  it("begins anew with each wait", (t) => {
    const { keeper } = roundsOf(t, 0.01);
    keeper.begin();
    assert.equal(keeper.advise(NOBODY), "look");
  });
});
