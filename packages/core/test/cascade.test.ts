import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Study } from "@cobre/core";
import { build, hydro, toy } from "./toy.js";

/** Plants 0, 1, … by the id of the plant downstream. */
function cascade(...downstream: readonly (number | undefined)[]): {
  cascade: Study["system"]["cascade"];
  errors: string[];
} {
  const input = toy();
  const hydros = downstream.map((downstreamId, id) => hydro(id, { downstreamId }));
  const { study, errors } = build({
    ...input,
    system: { ...input.system, hydros },
    initialConditions: { storage: [] },
  });
  return { cascade: study.system.cascade, errors };
}

const none = undefined;

describe("the cascade", () => {
  it("has each plant after all that are upstream of it", () => {
    // 5 and 4 flow into 1, 1 and 3 into 0, 0 into 2.
    const { downstream, upstream, order } = cascade(2, 0, none, 0, 1, 1).cascade;
    assert.deepEqual([...downstream], [2, 0, -1, 0, 1, 1]);
    assert.deepEqual(upstream, [[1, 3], [4, 5], [0], [], [], []]);
    assert.deepEqual([...order], [3, 4, 5, 1, 0, 2]);
  });

  it("has all plants where none is connected", () => {
    const { downstream, upstream, order } = cascade(none, none, none).cascade;
    assert.deepEqual(
      [[...downstream], upstream, [...order]],
      [
        [-1, -1, -1],
        [[], [], []],
        [0, 1, 2],
      ],
    );
  });

  it("ends at a plant whose water goes to one that does not exist", () => {
    const { cascade: found, errors } = cascade(1, 9);
    assert.deepEqual(
      [[...found.downstream], [...found.order]],
      [
        [1, -1],
        [0, 1],
      ],
    );
    assert.equal(errors.length, 1);
    assert.match(
      errors[0] as string,
      /^system\/hydros\.json: hydro 1: downstream_id: hydro 9 does/,
    );
  });

  it("is told of every circle, and of none of the plants that only flow into it", () => {
    const { errors } = cascade(1, 0, 0, 4, 5, 3, 3);
    assert.deepEqual(
      errors.map((error) => error.split(";")[0]),
      [
        "system/hydros.json: hydro 0: downstream_id: the water flows in a circle: 0 → 1 → 0",
        "system/hydros.json: hydro 3: downstream_id: the water flows in a circle: 3 → 4 → 5 → 3",
      ],
    );
  });
});
