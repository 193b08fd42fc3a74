import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { IterationRecord } from "@cobre/sddp";
import { forwardMeanOf } from "@cobre/study";

describe("the mean of forward passes", () => {
  const record: IterationRecord = {
    iteration: 1,
    lowerBound: 90,
    upperBoundMean: 100,
    upperBoundStd: 10,
    forwardPasses: 4,
    cutsAdded: 0,
    cutsActive: 0,
    lpSolves: 0,
    forwardMs: 0,
    backwardMs: 0,
    totalMs: 0,
  };

  it("has an interval if it is a sample, and none if it is of one pass or of all paths", () => {
    assert.deepEqual(forwardMeanOf(record), { mean: 100, std: 10, ci95: 9.8, passes: 4 });
    assert.equal(forwardMeanOf({ ...record, forwardPasses: 1 }).ci95, null);
    const exact = forwardMeanOf({ ...record, upperBoundStd: 0, isExact: true });
    assert.deepEqual(exact, { mean: 100, std: 0, ci95: null, passes: 4, isExact: true });
  });
});
