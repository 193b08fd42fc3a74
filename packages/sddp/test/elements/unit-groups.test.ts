/** Units of hydro plants that feed several buses. Stages have 1000 hours, so that 1 m³/s is 3.6 hm³. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductionModelInput, UnitGroup, UnitGroupRow } from "@cobre/core";
import { ELEMENTS } from "#internal";
import { near, plant } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

const group = (
  id: number,
  busId: number,
  most: number,
  more: Partial<UnitGroup> = {},
): UnitGroup => ({
  id,
  name: `units ${id}`,
  busId,
  minTurbinedM3s: 0,
  maxTurbinedM3s: most,
  minGenerationMw: 0,
  maxGenerationMw: 1000,
  ...more,
});

/** A plant with 20 m³/s of inflow and no reservoir; power costs 100 at bus 1 and 40 at bus 2, which are not connected. */
const input = (
  groups: readonly UnitGroup[],
  more: Partial<SmallInput> & { readonly rows?: readonly UnitGroupRow[] } = {},
): SmallInput => ({
  hours: [1000],
  buses: [1, 2].map((id) => ({ id, name: `bus ${id}` })),
  hydros: [
    { id: 7, busId: groups[0].busId, unitGroups: groups, maxStorageHm3: 0, maxGenerationMw: 9000 },
  ],
  inflow: [[20, 0]],
  thermals: [plant(1, 100, 1000, 1), plant(2, 40, 1000, 2)],
  load: [15, 15],
  penalties: { spillageCost: 0.01 },
  ...(more.rows && { more: { unitGroupBounds: more.rows } }),
  ...more,
});

const solve = (one: SmallInput) => solveWith(smallModel(one), ELEMENTS);

describe("units of a plant on two buses", () => {
  it("feed the dearer bus first, and share the water", async () => {
    const { value, cost } = await solve(input([group(0, 1, 30), group(1, 2, 20)]));
    near(value("cell_turbined", 0), 15);
    near(value("cell_turbined", 1), 5);
    near(value("turbined", 0), 20);
    near(cost, 10 * 40 * 1000);
  });

  it("turbine no more than their units can, by flow and by generation, and the plant no more than it can", async () => {
    const small = [group(0, 1, 4), group(3, 1, 30, { maxGenerationMw: 6 }), group(1, 2, 16)];
    const first = await solve(input(small));
    near(first.value("cell_turbined", 0), 10);
    near(first.value("cell_turbined", 1), 10);
    const rows = [{ id: 7, groupId: 3, stageId: 0, values: { maxGenerationMw: 1 } }];
    const second = await solve(input(small, { rows }));
    near(second.value("cell_turbined", 0), 5);
    near(second.value("cell_turbined", 1), 15);
    const hydroBounds = [{ id: 7, stageId: 0, values: { maxTurbinedM3s: 12 } }];
    const third = await solve(input(small, { hydroBounds }));
    near(third.value("cell_turbined", 0), 10);
    near(third.value("turbined", 0), 12);
    near(third.value("spillage", 0), 8);
  });

  it("have least flows and generations of their own, at the plant's penalty", async () => {
    // Bus 2 must get 8 MW, where 1 MW less costs 8 $/h; power at bus 1 costs 100 $/MWh more than that saves.
    const groups = [group(0, 1, 30), group(1, 2, 20, { minGenerationMw: 8, minTurbinedM3s: 9 })];
    const { value, cost } = await solve(input(groups));
    near(value("cell_turbined", 1), 5);
    near(value("cell_generation_violation", 1), 3);
    near(value("cell_turbined_violation", 1), 4);
    near(cost, (10 * 40 + 3 * 8 + 4 * 7) * 1000);
  });

  it("share the planes of a production function by what they can turbine", async () => {
    const planes = [
      { hydroId: 7, planeId: 0, gamma0: 6, gammaV: 0, gammaQ: 1, gammaS: 0, kappa: 1 },
    ];
    const model: ProductionModelInput = {
      hydroId: 7,
      ranges: [{ startStageId: 0, model: "fpha", fpha: { source: "precomputed" } }],
    };
    const one = input([group(0, 1, 30), group(1, 2, 10)], {
      load: [50, 50],
      production: { models: [model], planes },
    });
    const { value, cost } = await solve(one);
    // The share of bus 1 is 3/4: 4.5 MW and its flow of 20 m³/s; bus 2 has 1.5 MW without any water.
    near(value("cell_generated", 0), 24.5);
    near(value("cell_generated", 1), 1.5);
    near(cost, (25.5 * 100 + 48.5 * 40) * 1000);
  });

  it("have their share of what the storage is worth, and generate together what the plant does", async () => {
    // At the end nothing is stored, so the mean storage is 10 hm³ of the 20 at the start, which is 2.5 MW.
    const planes = [
      { hydroId: 7, planeId: 0, gamma0: 0, gammaV: 0.25, gammaQ: 1, gammaS: 0, kappa: 1 },
    ];
    const ranges = [{ startStageId: 0, model: "fpha", fpha: { source: "precomputed" } }] as const;
    const groups = [group(0, 1, 30), group(1, 2, 10)];
    const { value, lp } = await solve({
      ...input(groups, { load: [500, 500] }),
      hydros: [{ id: 7, busId: 1, unitGroups: groups, maxStorageHm3: 20, maxGenerationMw: 9000 }],
      storage: [20],
      inflow: [[0, 0]],
      production: { models: [{ hydroId: 7, ranges }], planes },
    });
    const flow = 20 / 3.6;
    near(value("cell_turbined", 0) + value("cell_turbined", 1), flow);
    near(value("cell_generated", 0), value("cell_turbined", 0) + 0.75 * 2.5);
    near(value("cell_generated", 1), value("cell_turbined", 1) + 0.25 * 2.5);
    near(value("hydro_generated", 0), flow + 2.5);
    const row = lp.names.rows.indexOf("units_generation_7_0");
    assert.deepEqual([lp.data.rows.lower[row], lp.data.rows.upper[row]], [0, 0]);
  });

  it("are the plant's own limits if they feed one bus", async () => {
    const { study } = smallModel(
      input([group(0, 2, 4, { minTurbinedM3s: 1 }), group(1, 2, 30, { maxGenerationMw: 6 })]),
    );
    assert.deepEqual(study.units, [[]]);
    assert.equal(study.hydros.maxTurbinedM3s.at(0, 0), 10);
    assert.equal(study.hydros.minTurbinedM3s.at(0, 0), 1);
    assert.equal(study.system.busOfHydro[0], 1);
  });
});

describe("a line with losses", () => {
  const lines = [
    { id: 1, name: "line", sourceBusId: 1, targetBusId: 2, directMw: 10, reverseMw: 10 },
  ].map((one) => ({ ...one, exchangeCost: 0.5, lossesPercent: 10 }));
  const buses = [1, 2].map((id) => ({ id, name: `bus ${id}` }));

  it("delivers what is left of the flow, in both directions", async () => {
    const cheap = [plant(1, 10, 1000, 1), plant(2, 100, 1000, 2)];
    const direct = await solve({ hours: [1000], buses, lines, thermals: cheap, load: [0, 10] });
    near(direct.value("direct_flow", 0), 10);
    near(direct.cost, (10 * 10 + 10 * 0.5 + 1 * 100) * 1000);
    const dear = [plant(1, 100, 1000, 1), plant(2, 10, 1000, 2)];
    const reverse = await solve({ hours: [1000], buses, lines, thermals: dear, load: [4.5, 0] });
    near(reverse.value("reverse_flow", 0), 5);
    near(reverse.cost, (5 * 10 + 5 * 0.5) * 1000);
  });

  it("delivers all of it in Cobre 0.5", async () => {
    const thermals = [plant(1, 10, 1000, 1), plant(2, 100, 1000, 2)];
    const one = { hours: [1000], buses, lines, thermals, load: [0, 10] };
    near((await solve({ ...one, compat: "cobre-0.5" })).cost, (10 * 10 + 10 * 0.5) * 1000);
  });
});
