import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadKoffi, Scheduler } from "#internal";

const scheduler = Scheduler.of(await loadKoffi());
const own = scheduler?.allowed() ?? [];

describe("the scheduler", { skip: scheduler === undefined && "needs Linux" }, () => {
  const known = scheduler as Scheduler;

  it("says how long a turn is", () => {
    const turn = known.turnMs();
    assert.ok(turn >= 1 && turn <= 10, `${turn} ms`);
  });

  const skip = own.length < 2 && "needs a process that may use two processors";
  it("binds this thread at once", { skip }, () => {
    for (const processor of own.slice(0, 2)) {
      assert.ok(known.bind([processor]));
      assert.equal(known.currentProcessor(), processor);
    }
    assert.ok(known.bind(own));
    assert.deepEqual(known.allowed(), own);
  });

  it("moves this thread and leaves it what it may use", { skip }, () => {
    const [first, second] = own as [number, number];
    for (const processor of [first, second, first]) assert.ok(known.moveTo([processor]));
    assert.deepEqual(known.allowed(), own);
  });

  it("does not claim to have done what the kernel refuses", () => {
    assert.equal(known.moveTo([8191]), false);
    assert.deepEqual(known.allowed(), own);
  });
});
