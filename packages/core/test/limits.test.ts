import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StudyInput } from "@cobre/core";
import { build, hydro, stage, toy } from "./toy.js";

const INF = Number.POSITIVE_INFINITY;
const NAN = Number.NaN;

type System = StudyInput["system"];

function withSystem(change: (system: System) => Partial<System>): StudyInput {
  const input = toy();
  return { ...input, system: { ...input.system, ...change(input.system) } };
}

function withThermal(fields: object): StudyInput {
  return withSystem(({ thermals }) => ({
    thermals: thermals.map((one) => (one.id === 4 ? { ...one, ...fields } : one)),
  }));
}

function withLine(fields: object): StudyInput {
  return withSystem(({ lines }) => ({ lines: lines.map((line) => ({ ...line, ...fields })) }));
}

function withHydro(fields: object): StudyInput {
  return withSystem(() => ({ hydros: [hydro(3), hydro(5, fields)] }));
}

function withStage(fields: object): StudyInput {
  const input = toy();
  return { ...input, time: { ...input.time, stages: [stage(0, fields), stage(1)] } };
}

function withBlock(hours: number): StudyInput {
  return withStage({ blocks: [{ id: 0, name: "A", hours }] });
}

function withRate(annualRate: number, ofStage1?: number): StudyInput {
  const input = toy();
  const overrides = ofStage1 === undefined ? [] : [{ sourceStageId: 1, annualRate: ofStage1 }];
  return { ...input, time: { ...input.time, discounting: { annualRate, overrides } } };
}

function withSegments(...segments: [number, number][]): StudyInput {
  const deficitSegments = segments.map(([depthMw, costPerMwh]) => ({ depthMw, costPerMwh }));
  return withSystem(({ buses }) => ({
    buses: buses.map((bus) => (bus.id === 7 ? { ...bus, deficitSegments } : bus)),
  }));
}

/** The global segments are those of bus 7 only: bus 0 has its own. */
function withPenalties(change: (penalties: StudyInput["penalties"]) => object): StudyInput {
  const input = toy();
  return { ...input, penalties: { ...input.penalties, ...change(input.penalties) } };
}

function withHydroPenalty(fields: object): StudyInput {
  return withPenalties(({ hydro: all }) => ({ hydro: { ...all, ...fields } }));
}

function withStorage(valueHm3: number, bounds: object = {}): StudyInput {
  const storage = [
    { hydroId: 3, valueHm3: 1 },
    { hydroId: 5, valueHm3 },
  ];
  return { ...withHydro(bounds), initialConditions: { storage } };
}

function withFactor(stageId: number, blockId: number, factor: number): StudyInput {
  return { ...toy(), loadFactors: [{ busId: 0, stageId, factors: [{ blockId, factor }] }] };
}

function withThermalRow(values: object): StudyInput {
  return { ...toy(), thermalBounds: [{ id: 2, stageId: 0, values }] };
}

function withHydroPenaltyRow(values: object): StudyInput {
  return { ...toy(), hydroPenalties: [{ id: 5, stageId: 0, values }] };
}

/** All that is allowed, at its very limit. */
const allowed: readonly [string, StudyInput][] = [
  ["an empty reservoir", withStorage(0)],
  ["a reservoir at its minimum", withStorage(10, { minStorageHm3: 10 })],
  ["a full reservoir", withStorage(100)],
  [
    "a plant without reservoir and without storage",
    {
      ...withHydro({ maxStorageHm3: 0 }),
      initialConditions: { storage: [{ hydroId: 3, valueHm3: 1 }] },
    },
  ],
  ["a factor of 0 in the first block", withFactor(1, 0, 0)],
  ["a factor in the last block", withFactor(1, 1, 0.5)],
  ["a line that carries nothing", withLine({ directMw: 0, reverseMw: 0 })],
  ["an exchange for next to nothing", withLine({ exchangeCost: 1e-9 })],
  ["a thermal that runs always", withThermal({ minGenerationMw: 20 })],
  ["a thermal that costs nothing", withThermal({ costPerMwh: 0 })],
  ["three segments, each dearer than the last", withSegments([0.5, 0.5], [1, 0.6], [INF, 0.7])],
  ["a plant that keeps its level", withStorage(100, { minStorageHm3: 100 })],
  ["a plant with a fixed outflow", withHydro({ minOutflowM3s: 5, maxOutflowM3s: 5 })],
  ["a plant with a fixed turbined flow", withHydro({ minTurbinedM3s: 50 })],
  ["a plant with a fixed generation", withHydro({ minGenerationMw: 50 })],
  ["a plant of little use", withHydro({ productivityMwPerM3s: 1e-9 })],
  ["turbined flow for nothing", withHydro({ penalties: { fphaTurbinedCost: 0 } })],
  [
    "small penalties of the system",
    withHydroPenalty({ spillageCost: 1e-9, fphaTurbinedCost: 0.1 }),
  ],
  ["a short block", withBlock(1e-9)],
  ["a single opening", withStage({ openings: 1 })],
  ["a stage of one day", withStage({ start: 29 })],
  ["a gap between stages", withStage({ end: 29 })],
  ["no discount", withRate(0, 0)],
  ["any discount", withRate(1e-9, 1e-9)],
  ["a minimum at the maximum in a stage", withThermalRow({ minGenerationMw: 10 })],
  ["a maximum at the minimum in a stage", withThermalRow({ maxGenerationMw: 5 })],
  ["bounds of 0 in a stage", withThermalRow({ minGenerationMw: 0, maxGenerationMw: 0 })],
  ["bounds between 0 and 1 in a stage", withThermalRow({ minGenerationMw: 0.5 })],
  ["a small penalty in a stage", withHydroPenaltyRow({ spillageCost: 1e-9 })],
  ["turbined flow for nothing in a stage", withHydroPenaltyRow({ fphaTurbinedCost: 0 })],
];

/** All that is not, as near to the limit as it gets, and what is said about it: one error. */
const forbidden: readonly [string, StudyInput, RegExp][] = [
  ["storage that is no number", withStorage(NAN), /hydro 5: storage\.value_hm3: is NaN; must not/],
  [
    "past inflows of an unknown plant",
    {
      ...toy(),
      initialConditions: {
        ...toy().initialConditions,
        pastInflows: [{ hydroId: 8, valuesM3s: [1] }],
      },
    },
    /^initial_conditions\.json: hydro 8: past_inflows: hydro 8 does not exist; .*hydros\.json/,
  ],
  [
    "past inflows given twice",
    {
      ...toy(),
      initialConditions: {
        ...toy().initialConditions,
        pastInflows: [5, 5].map((hydroId) => ({ hydroId, valuesM3s: [1] })),
      },
    },
    /hydro 5: past_inflows: is given twice/,
  ],
  [
    "a factor of a stage that does not exist",
    withFactor(9, 0, 1),
    /load_factors\.json: bus 0, stage 9: stage_id: stage 9 does not exist; .*stages\.json/,
  ],
  [
    "a factor of the block after the last",
    withFactor(1, 2, 1),
    /block 2: this block does not exist; stage 1 has blocks 0 to 1$/,
  ],
  ["a factor of block -1", withFactor(1, -1, 1), /block -1: this block does not exist/],
  ["a factor that is no number", withFactor(1, 0, NAN), /block 0: the factor is NaN/],
  [
    "a factor given twice",
    {
      ...toy(),
      loadFactors: [1, 2].map((factor) => {
        return { busId: 7, stageId: 1, factors: [{ blockId: 1, factor }] };
      }),
    },
    /bus 7, stage 1: block_factors, block 1: is given twice/,
  ],
  ["an exchange without limit of cost", withLine({ exchangeCost: INF }), /exchange_cost: is Inf/],
  [
    "a line from nowhere",
    withLine({ sourceBusId: 9 }),
    /line 1: source_bus_id: bus 9 does not exist; give the id of a bus in system\/buses\.json/,
  ],
  [
    "a thermal below 0",
    withThermal({ minGenerationMw: -1e-9 }),
    /thermal 4: generation\.min_mw: is -1e-9/,
  ],
  [
    "segments of the same cost",
    withSegments([10, 7], [INF, 7]),
    /bus 7: deficit_segments\[1\]\.cost: 7 is not above the previous segment's 7/,
  ],
  ["a segment without depth", withSegments([0, 7], [INF, 8]), /segments\[0\]: depth_mw is 0;/],
  ["a free segment", withSegments([1, 0], [INF, 8]), /deficit_segments\[0\]\.cost: is 0/],
  [
    "negative storage of a plant",
    withHydro({ minStorageHm3: -1 }),
    /reservoir\.min_storage_hm3: is -1/,
  ],
  [
    "a negative turbined flow",
    withHydro({ minTurbinedM3s: -1 }),
    /hydro 5: generation\.min_turbined_m3s: is -1/,
  ],
  [
    "a negative generation",
    withHydro({ minGenerationMw: -1 }),
    /hydro 5: generation\.min_generation_mw: is -1/,
  ],
  [
    "turbined flow that is paid for",
    withHydro({ penalties: { fphaTurbinedCost: -1 } }),
    /hydro 5: penalties\.fpha_turbined_cost: is -1; must not be below 0/,
  ],
  ["an endless block", withBlock(INF), /stage 0: blocks\[0\]\.hours: is Infinity/],
  [
    "a rate that is no number",
    withRate(NAN),
    /^stages\.json: policy_graph\.annual_discount_rate: is NaN/,
  ],
  [
    "a negative rate of a transition",
    withRate(0, -0.1),
    /^stages\.json: transition from stage 1: annual_discount_rate_override: is -0\.1/,
  ],
  [
    "a minimum of a stage above the plant's own maximum",
    withThermalRow({ minGenerationMw: 11 }),
    /thermal 2, stage 0: min_generation_mw: leaves min_generation_mw 11 above max_generation_mw 10/,
  ],
  [
    "crossed bounds of a stage",
    withThermalRow({ minGenerationMw: 3, maxGenerationMw: 2 }),
    /thermal 2, stage 0: max_generation_mw: leaves min_generation_mw 3 above max_generation_mw 2/,
  ],
  [
    "turbined flow that is paid for in a stage",
    withHydroPenaltyRow({ fphaTurbinedCost: -1 }),
    /hydro 5, stage 0: fpha_turbined_cost: is -1; must be above 0/,
  ],
  [
    "an excess for nothing in a stage",
    { ...toy(), busPenalties: [{ id: 7, stageId: 1, values: { excessCost: 0 } }] },
    /bus 7, stage 1: excess_cost: is 0; must be above 0/,
  ],
  [
    "an exchange for nothing in a stage",
    { ...toy(), linePenalties: [{ id: 1, stageId: 1, values: { exchangeCost: 0 } }] },
    /line 1, stage 1: exchange_cost: is 0; must be above 0/,
  ],
  [
    "an excess for nothing",
    withPenalties(({ bus }) => ({ bus: { ...bus, excessCost: 0 } })),
    /^penalties\.json: bus\.excess_cost: is 0; must be above 0/,
  ],
];

describe("the limits of a study", () => {
  for (const [what, input] of allowed) {
    it(`include ${what}`, () => {
      const { errors, warnings } = build(input);
      assert.deepEqual([errors, warnings], [[], []]);
    });
  }

  for (const [what, input, message] of forbidden) {
    it(`exclude ${what}`, () => {
      const { errors } = build(input);
      assert.equal(errors.length, 1, errors.join("\n"));
      assert.match(errors[0] as string, message);
    });
  }

  it("for penalties of the system are told once for the system and once for each plant", () => {
    for (const cost of [0, INF]) {
      const { errors } = build(withHydroPenalty({ diversionCost: cost }));
      assert.deepEqual(
        errors.map((error) => error.split(`: is ${cost}`)[0]),
        [
          "penalties.json: hydro.diversion_cost",
          "system/hydros.json: hydro 3: penalties.diversion_cost",
          "system/hydros.json: hydro 5: penalties.diversion_cost",
        ],
      );
    }
    const paid = build(withHydroPenalty({ fphaTurbinedCost: -1 })).errors;
    assert.equal(paid.length, 3);
    const endless = withPenalties(({ bus }) => ({
      bus: { ...bus, deficitSegments: [{ depthMw: 5, costPerMwh: 7 }] },
    }));
    assert.deepEqual(
      build(endless).errors.map((error) => error.split(": the last")[0]),
      ["penalties.json: bus.deficit_segments[0]", "system/buses.json: bus 7: deficit_segments[0]"],
    );
  });

  it("are warned of where storage is outside its bounds, or missing", () => {
    const below = build(withStorage(9, { minStorageHm3: 10 }));
    assert.match(
      below.warnings.join("\n"),
      /^[^\n]*hydro 5: storage\.value_hm3: is 9, below the minimum of 10;[^\n]*$/,
    );
    const missing = build({
      ...withHydro({ maxStorageHm3: 1 }),
      initialConditions: { storage: [{ hydroId: 3, valueHm3: 1 }] },
    });
    assert.match(
      missing.warnings.join("\n"),
      /^[^\n]*hydro 5: storage: is missing, so the plant starts empty[^\n]*$/,
    );
    assert.deepEqual([below.errors, missing.errors], [[], []]);
  });

  it("of a bound are told once: where the plant itself is wrong, not again in its stages", () => {
    const { errors } = build({
      ...withThermal({ minGenerationMw: 21 }),
      thermalBounds: [{ id: 4, stageId: 0, values: { costPerMwh: 1 } }],
    });
    assert.equal(errors.length, 1, errors.join("\n"));
    assert.match(errors[0] as string, /thermal 4: generation\.max_mw: is 20, below/);
  });
});

describe("a reference to nothing", () => {
  it("is told for each of its parts", () => {
    const twice = {
      ...toy(),
      loadFactors: [{ busId: 1, stageId: 9, factors: [{ blockId: 0, factor: 1 }] }],
      lineBounds: [{ id: 8, stageId: 7, values: { directMw: 1 } }],
    };
    assert.deepEqual(
      build(twice).errors.map((error) => error.split(";")[0]),
      [
        "scenarios/load_factors.json: bus 1, stage 9: bus_id: bus 1 does not exist",
        "scenarios/load_factors.json: bus 1, stage 9: stage_id: stage 9 does not exist",
        "constraints/line_bounds.parquet: line 8, stage 7: line_id: line 8 does not exist",
        "constraints/line_bounds.parquet: line 8, stage 7: stage_id: stage 7 does not exist",
      ],
    );
  });

  it("to a bus has the index -1, which is no bus", () => {
    const { system } = build(withThermal({ busId: 5 })).study;
    assert.deepEqual([...system.busOfThermal], [0, -1]);
  });
});
