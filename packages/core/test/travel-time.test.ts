/** Where water arrives that takes time, by the hours of the stages. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StudyInput } from "@cobre/core";
import { build, stage, toy } from "./toy.js";

const HOURS = [100, 300];

/** Two plants, of which the first lies above the other, and two stages of 100 and 300 hours. */
function routesOf(travelTimeHours: number, isCyclic: boolean) {
  const input = toy();
  const [first, second] = [...input.system.hydros].sort((a, b) => a.id - b.id);
  assert.ok(first !== undefined && second !== undefined);
  const study: StudyInput = {
    ...input,
    system: {
      ...input.system,
      hydros: [
        { ...first, downstreamId: second.id, travelTimeHours },
        { ...second, downstreamId: undefined },
      ],
    },
    time: {
      ...input.time,
      stages: HOURS.map((hours, id) =>
        stage(id, {
          start: 30 * id,
          end: 30 * (id + 1),
          blocks: [{ id: 0, name: "all", hours }],
        }),
      ),
      ...(isCyclic && { graph: { isCyclic } }),
    },
    initialConditions: {
      ...input.initialConditions,
      pastDefluences: [{ id: first.id, start: -100, end: 0, value: 10 }],
    },
  };
  const { travel } = build(study).study;
  return {
    depth: travel.depth,
    initial: travel.initialHm3[1],
    routes: travel.routes.map(([ofFirst]) => ofFirst?.[0]),
  };
}

function near(actual: readonly number[] | undefined, expected: readonly number[]): void {
  assert.equal(actual?.length, expected.length, `${actual}`);
  expected.forEach((value, i) => {
    assert.ok(Math.abs((actual?.[i] ?? Number.NaN) - value) < 1e-12, `${actual}`);
  });
}

describe("water that takes time", () => {
  it("arrives by the hours of the stages", () => {
    // What leaves in the hours 0 to 100 arrives in those from 150 to 250, all of it in the second stage.
    const { routes, depth, initial } = routesOf(150, false);
    near(routes[0]?.within, [0]);
    near(routes[0]?.later, [1]);
    // 100 to 400 becomes 250 to 550, and a stage of 300 hours is taken to follow the study.
    near(routes[1]?.within, [0.5]);
    near(routes[1]?.later, [0.5]);
    // 100 hours of 10 m³/s arrive in the first stage, 50 in the second.
    near(initial, [3.6, 1.8]);
    assert.deepEqual(depth, [0, 2]);
  });

  it("arrives in the first stages of the next cycle", () => {
    const { routes, depth } = routesOf(150, true);
    near(routes[1]?.within, [0.5]);
    near(routes[1]?.later, [1 / 3, 1 / 6]);
    assert.deepEqual(depth, [0, 2]);
    const longer = routesOf(500, true);
    near(longer.routes[0]?.later, [0, 0, 1]);
    // 600 to 900: the second stage of the next cycle ends at 800.
    near(longer.routes[1]?.later, [0, 2 / 3, 1 / 3]);
  });

  it("arrives at once without a time, or with none", () => {
    assert.deepEqual(routesOf(0, false).routes, [undefined, undefined]);
    assert.deepEqual(routesOf(0, false).depth, [0, 0]);
  });
});
