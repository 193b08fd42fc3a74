/** When checkpoints are written, and that they stay as they are. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Policy, TrainOptions } from "@cobre/sddp";
import { clockOfTests, trainAndListen, tutorial } from "./told-events.js";

describe("checkpoints", () => {
  clockOfTests();

  const written = async (iterations: number, every: number | undefined, options: TrainOptions) => {
    const kept: Policy[] = [];
    const { events } = await trainAndListen(await tutorial(iterations), {
      ...options,
      checkpoint: { every, write: (policy) => kept.push(policy) },
    });
    const told = events.of("checkpoint_written");
    assert.deepEqual(
      told.map(({ iteration }) => iteration),
      kept.map(({ iteration }) => iteration),
    );
    assert.ok(told.every(({ ms }) => ms >= 0 && ms < 60_000));
    return kept.map(({ iteration, history }) => {
      assert.equal(history.length, iteration);
      return iteration;
    });
  };

  it("are written after as many iterations as asked", async () => {
    assert.deepEqual(await written(5, 2, {}), [2, 4]);
    assert.deepEqual(await written(3, undefined, {}), []);
  });

  it("are written when training is interrupted, and before the first iteration of a warm start", async () => {
    let calls = 0;
    assert.deepEqual(await written(9, 4, { isInterrupted: () => ++calls === 2 }), [2]);
    const { policy } = await trainAndListen(await tutorial());
    assert.deepEqual(await written(3, 2, { warmStart: policy }), [0, 2]);
    assert.deepEqual(await written(3, 5, { resume: policy }), []);
  });

  it("do not change when training goes on", async () => {
    const kept: Policy[] = [];
    await trainAndListen(await tutorial(4), {
      checkpoint: { every: 2, write: (policy) => kept.push(policy) },
    });
    assert.deepEqual(
      kept.map(({ history }) => history.length),
      [2, 4],
    );
  });
});
