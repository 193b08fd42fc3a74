/** Generic constraints, beside optima derived by hand. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  GENERIC_VARIABLES,
  type GenericBoundInput,
  type GenericConstraintInput,
  LATER_VARIABLES,
} from "@cobre/core";
import {
  bus,
  diversion,
  energyContract,
  evaporation,
  futureCost,
  genericConstraint,
  hydro,
  inflow,
  line,
  load,
  nonControllable,
  production,
  pumpingStation,
  reservoir,
  thermal,
  withdrawal,
} from "#internal";
import { near, plant } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

const ELEMENTS = [
  reservoir,
  load,
  inflow,
  futureCost,
  hydro,
  production,
  evaporation,
  withdrawal,
  thermal,
  line,
  bus,
  nonControllable,
  genericConstraint,
];

function constrained(
  input: SmallInput,
  constraint: Partial<GenericConstraintInput> & Pick<GenericConstraintInput, "expression">,
  bounds: readonly Partial<GenericBoundInput>[],
) {
  const genericConstraints = [
    { id: 1, name: "limit", sense: "<=", slackPenalty: 5000, ...constraint } as const,
  ];
  const genericBounds = bounds.map((bound) => {
    return { constraintId: 1, stageId: 0, blockId: undefined, bound: 0, ...bound };
  });
  return smallModel({ ...input, more: { ...input.more, genericConstraints, genericBounds } });
}

/** A load of 20 MW, one plant of 30 MW at 50 $/MWh; unmet load costs 1000. */
const d13: SmallInput = { hours: [1], load: [20], thermals: [plant(7, 50, 30)] };

describe("a generic constraint", () => {
  it("limits a plant where unmet load costs less than the violation", async () => {
    const model = constrained(d13, { expression: "thermal_generation(7)" }, [{ bound: 10 }]);
    const { cost, value } = await solveWith(model, ELEMENTS);
    near(value("thermal_generation", 0), 10);
    // As in the reference case d13, which has 1460 hours.
    near(1460 * cost, 15_330_000);
  });

  it("is violated where that is cheaper", async () => {
    const model = constrained(d13, { expression: "thermal_generation(7)", slackPenalty: 100 }, [
      { bound: 10 },
    ]);
    const { cost, value } = await solveWith(model, ELEMENTS);
    near(value("generic_excess", 0), 10);
    near(cost, 20 * 50 + 10 * 100);
  });

  it("without slack holds, whatever it costs", async () => {
    const model = constrained(
      { ...d13, load: [5] },
      { expression: "2 * thermal_generation(7)", sense: ">=", slackPenalty: undefined },
      [{ bound: 24 }],
    );
    const { cost, lp } = await solveWith(model, ELEMENTS);
    near(cost, 12 * 50 + 7 * 0.01);
    assert.equal(lp.family("generic_shortfall").column(0), -1);
  });

  it("as an equation pays in both directions", async () => {
    const equation = (bound: number) =>
      constrained(d13, { expression: "thermal_generation(7)", sense: "==", slackPenalty: 10 }, [
        { bound },
      ]);
    const short = await solveWith(equation(25), ELEMENTS);
    near(short.value("generic_shortfall", 0), 5);
    near(short.cost, 20 * 50 + 5 * 10);
    const over = await solveWith(equation(12), ELEMENTS);
    near(over.value("generic_excess", 0), 8);
    near(over.cost, 20 * 50 + 8 * 10);
  });

  it("holds in each block of a stage, with the hours of each, and in a block of its own", async () => {
    const input = { ...d13, hours: [2, 3] };
    const expression = "thermal_generation(7)";
    const ofStage = await solveWith(
      constrained(input, { expression, slackPenalty: 100 }, [{ bound: 15 }]),
      ELEMENTS,
    );
    near(ofStage.cost, 5 * (20 * 50 + 5 * 100));
    const ofBlock = await solveWith(
      constrained(input, { expression, slackPenalty: 100 }, [{ bound: 15, blockId: 1 }]),
      ELEMENTS,
    );
    near(ofBlock.cost, 5 * 20 * 50 + 3 * 5 * 100);
    const both = await solveWith(
      constrained(input, { expression, slackPenalty: 100 }, [
        { bound: 15, blockId: 1 },
        { bound: 18 },
      ]),
      ELEMENTS,
    );
    near(both.cost, 5 * 20 * 50 + (2 * 2 + 3 * (2 + 5)) * 100);
  });

  it("takes the block of the row, or the one that a term names", async () => {
    // What is generated in block 0 may exceed that in block 1 by nothing: loads are 20 and 10.
    const model = constrained(
      {
        ...d13,
        hours: [1, 1],
        more: { loadFactors: [{ busId: 1, stageId: 0, factors: [{ blockId: 1, factor: 0.5 }] }] },
      },
      { expression: "thermal_generation(7) - thermal_generation(7, 1)", slackPenalty: 3 },
      [{ bound: 0 }],
    );
    const { cost } = await solveWith(model, ELEMENTS);
    near(cost, 30 * 50 + 10 * 3);
  });

  it("of a storage is paid for the whole stage, block by block", async () => {
    const model = constrained(
      { hours: [400, 600], hydros: [{ id: 2 }], storage: [36], load: [0] },
      { expression: "hydro_storage(2)", sense: ">=", slackPenalty: 7 },
      [{ bound: 40 }],
    );
    const { cost } = await solveWith(model, ELEMENTS);
    near(cost, 4 * 7 * 1000);
  });

  it("adds repeated terms up", async () => {
    const expression = "thermal_generation(7) + 0.5 * thermal_generation(7)";
    const model = constrained(d13, { expression }, [{ bound: 15 }]);
    const { value } = await solveWith(model, ELEMENTS);
    near(value("thermal_generation", 0), 10);
  });

  it("sums the segments of a deficit, and takes exchanges with their sign", async () => {
    const north = { id: 1, name: "north" };
    const south = {
      id: 2,
      name: "south",
      deficitSegments: [
        { depthMw: 4, costPerMwh: 100 },
        { depthMw: Number.POSITIVE_INFINITY, costPerMwh: 500 },
      ],
    };
    const input: SmallInput = {
      buses: [north, south],
      load: [0, 30],
      thermals: [plant(7, 50, 100)],
      lines: [{ id: 5, name: "l", sourceBusId: 1, targetBusId: 2, directMw: 20, reverseMw: 9 }],
    };
    const few = constrained(input, { expression: "bus_deficit(2)", slackPenalty: 9 }, [
      { bound: 1 },
    ]);
    near((await solveWith(few, ELEMENTS)).cost, 20 * 52 + 4 * 100 + 6 * 500 + 9 * 9);
    const less = constrained(input, { expression: "line_exchange(5)", slackPenalty: 9000 }, [
      { bound: 12 },
    ]);
    near((await solveWith(less, ELEMENTS)).value("direct_flow", 0), 12);
  });

  it("follows what is curtailed, opening by opening", async () => {
    const model = constrained(
      {
        load: [10],
        nonControllables: [
          {
            id: 4,
            name: "wind",
            busId: 1,
            maxGenerationMw: 100,
            curtailmentCost: 0.001,
            allowsCurtailment: true,
          },
        ],
        shares: [[4, 0.3, 0.1]],
        noise: [[0], [2]],
      },
      { expression: "non_controllable_curtailment(4)", slackPenalty: 3 },
      [{ bound: 15 }],
    );
    // Excess costs 0.01 and each MW too many 3: of 30 MW 15 are curtailed, of 50 also 15.
    for (const [opening, available] of [
      [0, 30],
      [1, 50],
    ] as const) {
      const { value, cost } = await solveWith(model, ELEMENTS, opening);
      const used = available - 15;
      near(value("non_controllable_generation", 0), used);
      near(cost, (used - 10) * 0.01 - used * 0.001);
    }
  });

  it("is not there where no row makes it active", async () => {
    const model = constrained(d13, { expression: "thermal_generation(7)" }, []);
    const { lp } = await solveWith(model, ELEMENTS);
    assert.throws(() => lp.family("generic_excess"), /no family/);
  });
});

describe("a variable of a constraint", () => {
  const buses = [
    { id: 1, name: "north" },
    { id: 2, name: "south" },
  ];
  const lines = [{ id: 5, name: "l", sourceBusId: 1, targetBusId: 2, directMw: 20, reverseMw: 9 }];
  /** Everything that a constraint can be about, with ids that differ; two blocks. */
  const everything: SmallInput = {
    hours: [1, 2],
    season: 0,
    buses,
    load: [0, 0],
    hydros: [
      { id: 3, evaporation: { coefficientsMm: new Array(12).fill(36) } },
      { id: 4, diversion: { downstreamId: 3, maxFlowM3s: 5 } },
    ],
    hydroGeometry: [{ hydroId: 3, volumeHm3: 0, heightM: 0, areaKm2: 1 }],
    hydroBounds: [{ id: 3, stageId: 0, values: { waterWithdrawalM3s: 5 } }],
    thermals: [plant(7, 50, 30)],
    lines,
    pumpingStations: [
      {
        id: 6,
        name: "p",
        busId: 1,
        sourceHydroId: 3,
        destinationHydroId: 4,
        consumptionMwPerM3s: 0.5,
        minFlowM3s: 0,
        maxFlowM3s: 9,
      },
    ],
    energyContracts: [
      { id: 8, name: "buy", busId: 1, type: "import", pricePerMwh: 9, minMw: 0, maxMw: 9 },
      { id: 9, name: "sell", busId: 1, type: "export", pricePerMwh: -9, minMw: 0, maxMw: 9 },
    ],
    nonControllables: [
      {
        id: 10,
        name: "wind",
        busId: 1,
        maxGenerationMw: 10,
        curtailmentCost: 1,
        allowsCurtailment: true,
      },
    ],
  };
  const variables: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    "hydro_storage(4)": { storage_4: 2 },
    "hydro_evaporation(3)": { evaporated_3_0: 2 },
    "hydro_withdrawal(3)": { withdrawal_pos_3_0: 2, withdrawal_neg_3_0: -2 },
    "hydro_turbined(4)": { turbined_4_1: 2 },
    "hydro_spillage(4)": { spillage_4_1: 2 },
    "hydro_diversion(4)": { diverted_4_1: 2 },
    "hydro_outflow(4)": { turbined_4_1: 2, spillage_4_1: 2 },
    "hydro_generation(4)": { turbined_4_1: 2 },
    "thermal_generation(7)": { thermal_generation_7_1: 2 },
    "line_direct(5)": { direct_flow_5_1: 2 },
    "line_reverse(5)": { reverse_flow_5_1: 2 },
    "line_exchange(5)": { direct_flow_5_1: 2, reverse_flow_5_1: -2 },
    "bus_deficit(2)": { deficit_2_0_1: 2 },
    "bus_excess(2)": { excess_2_1: 2 },
    "pumping_flow(6)": { pumping_flow_6_1: 2 },
    "pumping_power(6)": { pumping_flow_6_1: 1 },
    "contract_import(8)": { contract_8_1: 2 },
    "contract_export(9)": { contract_9_1: 2 },
    "non_controllable_generation(10)": { non_controllable_generation_10_1: 2 },
    "non_controllable_curtailment(10)": { non_controllable_generation_10_1: -2 },
  };
  const elements = [...ELEMENTS.slice(0, -1), diversion, pumpingStation, energyContract];

  it("is there for each that a case may name", () => {
    const known = Object.keys(variables).map((call) => call.replace(/\(.*/, ""));
    const all = Object.keys(GENERIC_VARIABLES).filter((name) => !LATER_VARIABLES.has(name));
    assert.deepEqual(known.sort(), all.sort());
    // Those of Cobre 0.18 are in later-rules.test.ts and later-constraints.test.ts.
    for (const variable of LATER_VARIABLES) {
      const bounds = [{ bound: 1 }];
      assert.throws(
        () => constrained(everything, { expression: `${variable}(3)` }, bounds),
        /is a variable of Cobre 0\.18; (write hydro_storage|translate the case)/,
      );
    }
  });

  for (const [call, expected] of Object.entries(variables)) {
    it(`stands for columns of the program: ${call}`, async () => {
      const model = constrained(
        everything,
        { expression: `2 * ${call}`, slackPenalty: undefined },
        [{ bound: 1000, blockId: 1 }],
      );
      const { lp } = await solveWith(model, [...elements, genericConstraint]);
      const { starts, indices, values } = lp.data.rows;
      const row = lp.names.rows.findIndex((name) => name.startsWith("generic"));
      const found: Record<string, number> = {};
      for (let i = starts[row]; i < starts[row + 1]; i++)
        found[lp.names.columns[indices[i]]] = values[i];
      assert.deepEqual(found, expected);
    });
  }

  it("that was exchanged the other way counts as less", async () => {
    const input: SmallInput = {
      buses,
      load: [30, 0],
      thermals: [{ ...plant(7, 50, 100), busId: 2 }],
      lines,
    };
    const model = constrained(
      input,
      { expression: "line_exchange(5)", sense: ">=", slackPenalty: 9000 },
      [{ bound: -4 }],
    );
    const { value } = await solveWith(model, ELEMENTS);
    near(value("reverse_flow", 0), 4);
    near(value("direct_flow", 0), 0);
  });
});

describe("a constraint on a hydro plant", () => {
  /** 1000 h, so that 36 hm³ are 10 m³/s, a load of 10 MW and a thermal plant of 100 $/MWh. */
  const limited = (expression: string, bound: number, more: Partial<SmallInput>) =>
    solveWith(
      constrained(
        {
          hours: [1000],
          hydros: [{ id: 1 }],
          storage: [36],
          load: [10],
          thermals: [plant(1, 100, 1000)],
          ...more,
        },
        { expression, slackPenalty: undefined },
        [{ bound }],
      ),
      ELEMENTS,
    );

  it("is about what is withdrawn: what is due, and more or less than that", async () => {
    const withdrawing = {
      hydroBounds: [{ id: 1, stageId: 0, values: { waterWithdrawalM3s: 5 } }],
      penalties: { waterWithdrawalViolationNegCost: 1000 },
    };
    const { value, cost } = await limited("hydro_withdrawal(1)", 3, withdrawing);
    near(value("withdrawal_neg", 0), 2);
    near(value("turbined", 0), 7);
    near(cost, 3 * 100 * 1000 + 2 * 1000 * 1000);
    const returned = { hydroBounds: [{ id: 1, stageId: 0, values: { waterWithdrawalM3s: -2 } }] };
    // 12 m³/s are there, -2 of them withdrawn.
    const sum = await limited("hydro_withdrawal(1) + hydro_turbined(1)", 4, returned);
    near(sum.value("turbined", 0), 6);
  });

  it("is about what evaporates", async () => {
    const input = {
      storage: [100],
      load: [30],
      season: 0,
      hydros: [{ id: 1, evaporation: { coefficientsMm: Array.from({ length: 12 }, () => 36) } }],
      hydroGeometry: [
        { hydroId: 1, volumeHm3: 0, heightM: 0, areaKm2: 0 },
        { hydroId: 1, volumeHm3: 100, heightM: 1, areaKm2: 10 },
      ],
      penalties: { evaporationViolationCost: 5000 },
    };
    // 0.001 m³/s per hm³, of a mean storage of 50.
    near((await limited("hydro_evaporation(1)", 1, input)).value("evaporated", 0), 0.05);
    const less = await limited("hydro_evaporation(1)", 0.02, input);
    near(less.value("evaporated", 0), 0.02);
    near(less.value("evaporation_neg", 0), 0.03);
  });

  it("is about the generation below its planes", async () => {
    const planes = [
      { hydroId: 1, planeId: 0, gamma0: 2, gammaV: 0, gammaQ: 0.5, gammaS: 0, kappa: 1 },
    ];
    const fpha = { startStageId: 0, model: "fpha", fpha: { source: "precomputed" } } as const;
    const production = { models: [{ hydroId: 1, ranges: [fpha] }], planes };
    const { value } = await limited("hydro_generation(1)", 3, { production });
    near(value("hydro_generated", 0), 3);
    near(value("thermal_generation", 0), 7);
  });
});
