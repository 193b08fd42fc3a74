/** The components of a state, in the order of the coefficients of cuts, with their values at the start; and the days they are priced at. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeComponent, pricingDates, statesOfStudy } from "#internal";

const STUDY = {
  system: { hydros: [{ id: 4 }, { id: 7 }], thermals: [{ id: 1 }, { id: 2 }] },
  initialConditions: {
    storageHm3: Float64Array.of(50, 60),
    // The second plant knows fewer past inflows.
    pastInflowsM3s: [[11, 12], [21]],
  },
  travel: {
    states: [
      { plant: 1, ahead: 1 },
      { plant: 1, ahead: 2 },
    ],
    initialHm3: [[], [31, 32]],
  },
  commitments: { states: [{ plant: 0, ahead: 1 }], initialMw: [[41], []] },
} as unknown as Parameters<typeof statesOfStudy>[0];

describe("the state of a case", () => {
  it("has storages, past inflows lag by lag, water on its way and commitments", () => {
    const { components, initial } = statesOfStudy(STUDY, 2);
    assert.deepEqual(
      components.map((component, i) => [describeComponent(component), component.unit, initial[i]]),
      [
        ["storage of hydro 4", "hm3", 50],
        ["storage of hydro 7", "hm3", 60],
        ["inflow_lag of hydro 4, lag 1", "m3/s", 11],
        ["inflow_lag of hydro 7, lag 1", "m3/s", 21],
        ["inflow_lag of hydro 4, lag 2", "m3/s", 12],
        ["inflow_lag of hydro 7, lag 2", "m3/s", 0],
        ["in_transit of hydro 7, 1 ahead", "hm3", 31],
        ["in_transit of hydro 7, 2 ahead", "hm3", 32],
        ["commitment of thermal 1, 1 ahead", "MW", 41],
      ],
    );
    assert.equal(initial.length, components.length);
  });

  it("is priced on the day after each stage", () => {
    const time = { stages: [{ end: 31 }, { end: 59 }, { end: 20_000 }] };
    const study = { time } as unknown as Parameters<typeof pricingDates>[0];
    assert.deepEqual(pricingDates(study), ["1970-02-01", "1970-03-01", "2024-10-04"]);
  });
});
