/** Each element on a program of a few columns, whose optimum is derived by hand beside it. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  bus,
  diversion,
  futureCost,
  hydro,
  hydroLimits,
  inflow,
  inflowSlack,
  line,
  load,
  production,
  reservoir,
  thermal,
} from "#internal";
import { near } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

const plant = (id: number, costPerMwh: number, maxGenerationMw: number, busId = 1) => ({
  id,
  name: `thermal ${id}`,
  busId,
  minGenerationMw: 0,
  maxGenerationMw,
  costPerMwh,
});

describe("load and bus", () => {
  it("leave the whole load unmet, segment by segment, block by block", async () => {
    const model = smallModel({
      hours: [2, 3],
      buses: [
        {
          id: 1,
          name: "bus",
          deficitSegments: [
            { depthMw: 10, costPerMwh: 100 },
            { depthMw: Number.POSITIVE_INFINITY, costPerMwh: 500 },
          ],
        },
      ],
      load: [30],
    });
    const { cost, value, duals, lp } = await solveWith(model, [load, bus]);
    // 10 MW for 100 and 20 MW for 500 in 5 hours.
    near(cost, (10 * 100 + 20 * 500) * 5);
    near(value("deficit", 0, 1), 10);
    near(value("deficit", 1, 0), 20);
    near(value("excess", 0, 0), 0);
    // One MW more costs 500 an hour, in thousands of $.
    near(duals[lp.balance("power").row(0, 1)], (500 * 3) / 1000);
  });

  it("let power go away that must be generated", async () => {
    const model = smallModel({
      thermals: [{ ...plant(1, 5, 20), minGenerationMw: 20 }],
      load: [8],
    });
    const { cost, value } = await solveWith(model, [load, thermal, bus]);
    near(value("excess", 0), 12);
    near(cost, 20 * 5 + 12 * 0.01);
  });
});

describe("thermal", () => {
  it("runs the cheap plant first, and the next one for what is missing", async () => {
    const model = smallModel({
      hours: [10],
      thermals: [plant(1, 40, 100), plant(2, 15, 30)],
      load: [50],
    });
    const { cost, value } = await solveWith(model, [load, thermal, bus]);
    near(value("thermal_generation", 1), 30);
    near(value("thermal_generation", 0), 20);
    near(cost, (30 * 15 + 20 * 40) * 10);
  });
});

describe("line", () => {
  const model = (limit: number) =>
    smallModel({
      buses: [
        { id: 1, name: "north" },
        { id: 2, name: "south" },
      ],
      lines: [
        {
          id: 7,
          name: "north-south",
          sourceBusId: 1,
          targetBusId: 2,
          directMw: limit,
          reverseMw: 5,
        },
      ],
      thermals: [plant(1, 10, 100, 1), plant(2, 90, 100, 2)],
      load: [20, 30],
    });

  it("brings the cheap power to the other bus, up to its limit", async () => {
    const { cost, value } = await solveWith(model(12), [load, thermal, line, bus]);
    near(value("direct_flow", 0), 12);
    near(value("reverse_flow", 0), 0);
    near(cost, (20 + 12) * 10 + 12 * 2 + (30 - 12) * 90);
  });

  it("costs what it carries", async () => {
    const { cost } = await solveWith(model(1000), [load, thermal, line, bus]);
    near(cost, 50 * 10 + 30 * 2);
  });
});

const WATER = [reservoir, load, inflow, futureCost, hydro, production];
const M3S_HOUR_IN_HM3 = 3600 / 1e6;

describe("reservoir, inflow and hydro", () => {
  it("turbine what there is, and value water by what it replaces", async () => {
    const hours = 1000;
    const model = smallModel({
      hours: [hours],
      hydros: [{ id: 3, productivityMwPerM3s: 2 }],
      thermals: [plant(1, 20, 1000)],
      load: [100],
      storage: [36],
      inflow: [[15, 0]],
    });
    const { cost, value, duals, reducedCosts, lp } = await solveWith(model, [
      ...WATER,
      thermal,
      bus,
    ]);
    const perM3s = hours * M3S_HOUR_IN_HM3; // 3.6 hm³
    const flow = 15 + 36 / perM3s; // 25 m³/s
    near(value("turbined", 0), flow);
    near(value("storage", 0), 0);
    near(cost, (100 - 2 * flow) * 20 * hours);
    // One hm³ more is 1 / 3.6 m³/s, 2 MW for each, 20 $ for each MWh.
    const worth = (2 / perM3s) * 20 * hours;
    near(reducedCosts[lp.known[0]] * 1000, -worth);
    near(duals[lp.balance("water").row(0)] * 1000, -worth);
  });

  it("store what the turbines cannot take, and spill what the reservoir cannot hold", async () => {
    const model = smallModel({
      hours: [1000],
      hydros: [{ id: 3, maxTurbinedM3s: 10, maxStorageHm3: 40 }],
      load: [100],
      storage: [30],
      inflow: [[20, 0]],
    });
    const { value, cost } = await solveWith(model, [...WATER, bus]);
    // 30 hm³ and 20 m³/s for 3.6 hm³ each; 10 m³/s are turbined, 40 hm³ stay.
    near(value("turbined", 0), 10);
    near(value("storage", 0), 40);
    near(value("spillage", 0), 10 - 10 / 3.6);
    near(cost, (90 * 1000 + (10 - 10 / 3.6) * 0.5) * 1000);
  });

  it("pass the outflow on to the plant downstream", async () => {
    const model = smallModel({
      hours: [1000],
      hydros: [
        { id: 1, downstreamId: 2, productivityMwPerM3s: 1 },
        { id: 2, productivityMwPerM3s: 3 },
      ],
      thermals: [plant(1, 20, 1000)],
      load: [1000],
      inflow: [
        [10, 0],
        [4, 0],
      ],
    });
    const { value } = await solveWith(model, [...WATER, thermal, bus]);
    near(value("turbined", 0), 10);
    near(value("turbined", 1), 14);
    near(value("thermal_generation", 0), 1000 - 10 - 3 * 14);
  });

  it("have the inflow of the opening", async () => {
    const model = smallModel({ hydros: [{ id: 1 }], inflow: [[10, 2]], noise: [[0], [1.5], [-1]] });
    for (const [opening, expected] of [
      [0, 10],
      [1, 13],
      [2, 8],
    ]) {
      const { value } = await solveWith(model, [...WATER, bus], opening);
      near(value("inflow", 0), expected);
    }
  });
});

describe("the limits of hydro plants", () => {
  const limited = async (limits: NonNullable<SmallInput["hydros"]>[number], water: number) => {
    const model = smallModel({
      hydros: [{ maxStorageHm3: 0, ...limits }],
      inflow: [[water, 0]],
      load: [0],
    });
    return solveWith(model, [...WATER, hydroLimits, bus]);
  };

  /** Nobody needs the 10 MW that 10 m³/s generate, but to spill them would cost more. */
  const TURBINED = 10 * 0.01;

  it("cost what the outflow falls short of", async () => {
    const { cost, value } = await limited({ id: 1, minOutflowM3s: 12 }, 10);
    near(value("outflow_violation_below", 0), 2);
    near(cost, 2 * 5 + TURBINED);
  });

  it("cost what the outflow exceeds", async () => {
    const { cost, value } = await limited({ id: 1, maxOutflowM3s: 7 }, 10);
    near(value("outflow_violation_above", 0), 3);
    near(cost, 3 * 6 + TURBINED);
  });

  it("cost what the turbined flow falls short of", async () => {
    const { cost, value } = await limited({ id: 1, minTurbinedM3s: 14 }, 10);
    near(value("turbined_violation", 0), 4);
    near(cost, 4 * 7 + TURBINED);
  });

  it("cost what the generation falls short of, and what it brings in excess", async () => {
    const { cost, value } = await limited(
      { id: 1, minGenerationMw: 25, productivityMwPerM3s: 2 },
      10,
    );
    near(value("generation_violation", 0), 5);
    near(cost, 5 * 8 + 20 * 0.01);
  });
});

describe("diversion", () => {
  /** Plant 1 diverts to plant 2, which makes twice as much of the water. Only plant 1 has some: 10 m³/s. */
  const diverting = (more: Partial<NonNullable<SmallInput["hydros"]>[number]> = {}) =>
    smallModel({
      hours: [1000],
      hydros: [
        { id: 1, diversion: { downstreamId: 2, maxFlowM3s: 4 }, ...more },
        { id: 2, productivityMwPerM3s: 2 },
      ],
      thermals: [plant(1, 100, 1000)],
      load: [20],
      storage: [36, 0],
    });

  it("brings water to where it is worth more, up to its limit", async () => {
    const solved = await solveWith(diverting(), [...WATER, diversion, thermal, bus]);
    near(solved.value("diverted", 0), 4);
    near(solved.value("turbined", 0), 6);
    near(solved.value("turbined", 1), 4);
    // 14 MW of water, 6 MW of the plant; the diverted flow costs 1 an hour.
    near(solved.cost, (6 * 100 + 4 * 1) * 1000);
  });

  it("counts in the limits of the outflow", async () => {
    const model = diverting({ maxOutflowM3s: 3, maxStorageHm3: 0 });
    const solved = await solveWith(model, [...WATER, diversion, hydroLimits, thermal, bus]);
    // All 10 m³/s have to leave, 7 of them too many.
    near(solved.value("outflow_violation_above", 0), 7);
  });

  it("is not there where no plant has one", async () => {
    const model = smallModel({ hydros: [{ id: 1 }] });
    const { lp } = await solveWith(model, [...WATER, diversion, bus]);
    assert.throws(() => lp.family("diverted"), /no family diverted/);
  });
});

describe("the inflow slack", () => {
  const model = (method: SmallInput["method"]) =>
    smallModel({ hydros: [{ id: 1 }], inflow: [[-3, 0]], load: [0], method: method ?? "none" });

  it("adds what a negative inflow lacks, at its penalty", async () => {
    const { cost, value } = await solveWith(model("penalty"), [...WATER, inflowSlack, bus]);
    near(value("inflow_penalty", 0), 3);
    near(cost, 3 * 9);
  });

  it("is not there without the method", async () => {
    const builder = await solveWith(
      smallModel({ hydros: [{ id: 1 }], inflow: [[3, 0]], load: [0] }),
      [...WATER, inflowSlack, bus],
    );
    assert.throws(() => builder.lp.family("inflow_penalty"), /no family inflow_penalty/);
  });
});

describe("the future", () => {
  it("costs nothing if nothing follows", async () => {
    const model = smallModel({ load: [0] });
    const { lp, primal } = await solveWith(model, [load, futureCost, bus]);
    assert.equal(primal[lp.theta], 0);
    assert.equal(lp.data.columnUpper[lp.theta], 0);
  });
});
