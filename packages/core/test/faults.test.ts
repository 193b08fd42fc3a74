import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type StudyInput, ValidationError } from "@cobre/core";
import { build, hydro, stage, toy } from "./toy.js";

type System = StudyInput["system"];
const INF = Number.POSITIVE_INFINITY;

function withSystem(change: (system: System) => Partial<System>): StudyInput {
  const input = toy();
  return { ...input, system: { ...input.system, ...change(input.system) } };
}

function withStages(...stages: StudyInput["time"]["stages"][number][]): StudyInput {
  const input = toy();
  return { ...input, time: { ...input.time, stages } };
}

function withThermal(fields: object): StudyInput {
  return withSystem(({ thermals }) => ({
    thermals: thermals.map((one, i) => (i === 0 ? { ...one, ...fields } : one)),
  }));
}

function withLine(fields: object): StudyInput {
  return withSystem(({ lines }) => ({ lines: lines.map((line) => ({ ...line, ...fields })) }));
}

function withHydro(fields: object): StudyInput {
  return withSystem(() => ({ hydros: [hydro(3), hydro(5, fields)] }));
}

function withSegments(...segments: [number, number][]): StudyInput {
  const deficitSegments = segments.map(([depthMw, costPerMwh]) => ({ depthMw, costPerMwh }));
  return withSystem(() => ({
    buses: [
      { id: 0, name: "A", deficitSegments },
      { id: 7, name: "B" },
    ],
  }));
}

// Each fault, and the one error it must give.
const faults: readonly [string, StudyInput, RegExp][] = [
  [
    "no bus",
    {
      ...withSystem(() => ({ buses: [], lines: [], thermals: [], hydros: [] })),
      initialConditions: { storage: [] },
    },
    /buses\.json: buses: there is no bus/,
  ],
  [
    "two buses with an id",
    withSystem(({ buses }) => ({ buses: [...buses, { id: 7, name: "OTHER" }] })),
    /bus 7: id: "NORTH" and "OTHER" have the same id; ids must be unique/,
  ],
  ["no segment", withSegments(), /bus 0: deficit_segments: there is no segment/],
  [
    "a last segment with an end",
    withSegments([10, 1000]),
    /bus 0: deficit_segments\[0\]: the last segment ends at 10 MW/,
  ],
  [
    "an endless segment in the middle",
    withSegments([INF, 1000], [INF, 2000]),
    /deficit_segments\[0\]: depth_mw is null/,
  ],
  [
    "segments that get cheaper",
    withSegments([10, 1000], [INF, 999]),
    /deficit_segments\[1\]\.cost: 999 is not above the previous segment's 1000/,
  ],
  [
    "a line to nowhere",
    withLine({ targetBusId: 9 }),
    /lines\.json: line 1: target_bus_id: bus 9 does not exist/,
  ],
  [
    "a line to itself",
    withLine({ targetBusId: 0 }),
    /line 1: target_bus_id: is bus 0, where the line starts/,
  ],
  [
    "a negative capacity",
    withLine({ reverseMw: -1 }),
    /capacity\.reverse_mw: is -1; must not be below 0/,
  ],
  ["NaN as capacity", withLine({ directMw: Number.NaN }), /capacity\.direct_mw: is NaN/],
  [
    "an exchange for nothing",
    withLine({ exchangeCost: 0 }),
    /exchange_cost: is 0; must be above 0/,
  ],
  [
    "a thermal without a bus",
    withThermal({ busId: 5 }),
    /thermals\.json: thermal 4: bus_id: bus 5 does not exist/,
  ],
  [
    "a thermal with crossed bounds",
    withThermal({ minGenerationMw: 21 }),
    /thermal 4: generation\.max_mw: is 20, below the minimum of 21/,
  ],
  [
    "a diversion to nowhere",
    withHydro({ diversion: { downstreamId: 9, maxFlowM3s: 1 } }),
    /hydro 5: diversion.downstream_id: hydro 9 does not exist/,
  ],
  [
    "a diversion to the plant itself",
    withHydro({ diversion: { downstreamId: 5, maxFlowM3s: 1 } }),
    /hydro 5: diversion.downstream_id: is the plant itself; give the id of another plant/,
  ],
  [
    "a diversion below 0",
    withHydro({ diversion: { downstreamId: 3, maxFlowM3s: -1 } }),
    /hydro 5: diversion.max_flow_m3s: is -1; must not be below 0/,
  ],
  [
    "a limit of a diversion that is not there",
    { ...toy(), hydroBounds: [{ id: 5, stageId: 1, values: { maxDiversionM3s: 2 } }] },
    /hydro 5, stage 1: max_diversion_m3s: the plant has no diversion; leave the cell empty/,
  ],
  ["a plant without a bus", withHydro({ busId: 1 }), /hydro 5: bus_id: bus 1 does not exist/],
  [
    "crossed storage",
    withHydro({ minStorageHm3: 101 }),
    /hydro 5: reservoir\.max_storage_hm3: is 100, below/,
  ],
  [
    "crossed turbined flow",
    withHydro({ minTurbinedM3s: 51 }),
    /generation\.max_turbined_m3s: is 50/,
  ],
  [
    "crossed outflow",
    withHydro({ minOutflowM3s: 2, maxOutflowM3s: 1 }),
    /outflow\.max_outflow_m3s: is 1/,
  ],
  [
    "crossed generation",
    withHydro({ minGenerationMw: 60 }),
    /generation\.max_generation_mw: is 50/,
  ],
  ["a negative minimum", withHydro({ minOutflowM3s: -1 }), /outflow\.min_outflow_m3s: is -1/],
  [
    "no productivity",
    withHydro({ productivityMwPerM3s: 0 }),
    /generation\.productivity_mw_per_m3s: is 0; must be above 0/,
  ],
  [
    "a penalty of a plant that is none",
    withHydro({ penalties: { spillageCost: 0 } }),
    /hydro 5: penalties\.spillage_cost: is 0/,
  ],
  [
    "water that flows nowhere",
    withHydro({ downstreamId: 8 }),
    /hydro 5: downstream_id: hydro 8 does not exist/,
  ],
  [
    "water that flows to itself",
    withHydro({ downstreamId: 5 }),
    /hydro 5: downstream_id: the water flows in a circle: 5 → 5/,
  ],
  [
    "a circle of three with a plant above it",
    {
      ...withSystem(() => ({
        hydros: [
          hydro(9, { downstreamId: 5 }),
          hydro(5, { downstreamId: 4 }),
          hydro(3, { downstreamId: 5 }),
          hydro(4, { downstreamId: 3 }),
        ],
      })),
      initialConditions: { storage: [] },
    },
    /hydro 3: downstream_id: the water flows in a circle: 3 → 5 → 4 → 3/,
  ],
  ["no stage", withStages(), /stages\.json: stages: there is no stage/],
  [
    "a stage of the past",
    withStages(stage(-1), stage(0)),
    /stage -1: id: is below 0; .*pre_study_stages/,
  ],
  [
    "two stages with an id",
    withStages(stage(0), stage(0, { start: 30, end: 60 })),
    /stage 0: id: is the id of two/,
  ],
  [
    "a stage without days",
    withStages(stage(0, { end: 0 })),
    /stage 0: end_date: is not after start_date/,
  ],
  [
    "overlapping stages",
    withStages(stage(0), stage(1, { start: 29 })),
    /stage 1: start_date: is before the end of stage 0/,
  ],
  [
    "a stage without blocks",
    withStages(stage(0, { blocks: [] })),
    /stage 0: blocks: there is no block/,
  ],
  [
    "blocks counted from 1",
    withStages(stage(0, { blocks: [{ id: 1, name: "", hours: 1 }] })),
    /blocks\[0\]\.id: is 1; .*give 0/,
  ],
  [
    "a block without hours",
    withStages(stage(0, { blocks: [{ id: 0, name: "", hours: 0 }] })),
    /blocks\[0\]\.hours: is 0/,
  ],
  [
    "a stage without openings",
    withStages(stage(0, { openings: 0 })),
    /num_scenarios: is 0; must be at least 1/,
  ],
  [
    "a negative rate",
    { ...toy(), time: { ...toy().time, discounting: { annualRate: -0.1 } } },
    /policy_graph\.annual_discount_rate: is -0\.1/,
  ],
  [
    "a rate of an unknown stage",
    {
      ...toy(),
      time: {
        ...toy().time,
        discounting: { annualRate: 0, overrides: [{ sourceStageId: 8, annualRate: 0 }] },
      },
    },
    /transition from stage 8: source_id: this stage does not exist/,
  ],
  [
    "storage of an unknown plant",
    {
      ...toy(),
      initialConditions: {
        storage: [...toy().initialConditions.storage, { hydroId: 1, valueHm3: 0 }],
      },
    },
    /initial_conditions\.json: hydro 1: storage: hydro 1 does not exist/,
  ],
  [
    "storage given twice",
    {
      ...toy(),
      initialConditions: {
        storage: [...toy().initialConditions.storage, { hydroId: 3, valueHm3: 0 }],
      },
    },
    /hydro 3: storage: is given twice/,
  ],
  [
    "negative storage",
    {
      ...toy(),
      initialConditions: {
        storage: [
          { hydroId: 3, valueHm3: -1 },
          { hydroId: 5, valueHm3: 0 },
        ],
      },
    },
    /hydro 3: storage\.value_hm3: is -1/,
  ],
  [
    "bounds of an unknown thermal",
    { ...toy(), thermalBounds: [{ id: 1, stageId: 0, values: {} }] },
    /thermal_bounds\.parquet: thermal 1, stage 0: thermal_id: thermal 1 does not exist/,
  ],
  [
    "bounds in an unknown stage",
    { ...toy(), thermalBounds: [{ id: 2, stageId: 9, values: {} }] },
    /thermal 2, stage 9: stage_id: stage 9 does not exist/,
  ],
  [
    "bounds given twice",
    { ...toy(), lineBounds: [1, 1].map((id) => ({ id, stageId: 0, values: {} })) },
    /line_bounds\.parquet: line 1, stage 0: stage_id: there are two rows/,
  ],
  [
    "bounds that cross the plant's own",
    { ...toy(), thermalBounds: [{ id: 2, stageId: 0, values: { maxGenerationMw: 4 } }] },
    /max_generation_mw: leaves min_generation_mw 5 above max_generation_mw 4/,
  ],
  [
    "a negative minimum in a stage",
    { ...toy(), hydroBounds: [{ id: 5, stageId: 0, values: { minStorageHm3: -2 } }] },
    /hydro 5, stage 0: min_storage_hm3: is -2/,
  ],
  [
    "a negative capacity in a stage",
    { ...toy(), lineBounds: [{ id: 1, stageId: 0, values: { directMw: -3 } }] },
    /line 1, stage 0: direct_mw: is -3; must not be below 0/,
  ],
  [
    "a penalty of 0 in a stage",
    { ...toy(), hydroPenalties: [{ id: 5, stageId: 0, values: { spillageCost: 0 } }] },
    /hydro 5, stage 0: spillage_cost: is 0; must be above 0/,
  ],
  [
    "factors of an unknown block",
    { ...toy(), loadFactors: [{ busId: 0, stageId: 0, factors: [{ blockId: 1, factor: 1 }] }] },
    /bus 0, stage 0: block_factors, block 1: this block does not exist; stage 0 has blocks 0 to 0/,
  ],
  [
    "factors of an unknown bus",
    { ...toy(), loadFactors: [{ busId: 1, stageId: 0, factors: [] }] },
    /bus_id: bus 1 does not exist/,
  ],
  [
    "a negative factor",
    { ...toy(), loadFactors: [{ busId: 0, stageId: 0, factors: [{ blockId: 0, factor: -1 }] }] },
    /block 0: the factor is -1/,
  ],
];

describe("what is wrong with a study", () => {
  for (const [what, input, message] of faults) {
    it(`is told: ${what}`, () => {
      const { errors } = build(input);
      assert.equal(errors.length, 1, errors.join("\n"));
      assert.match(errors[0] as string, message);
    });
  }

  it("is told of global penalties once, and of every entity that inherits them", () => {
    const input = toy();
    const penalties = { ...input.penalties, line: { exchangeCost: -2 } };
    assert.match(
      build({ ...input, penalties }).errors.join("\n"),
      /penalties\.json: line\.exchange_cost: is -2/,
    );
  });

  it("is told all at once, in an error that lists it", () => {
    const { issues } = build({
      ...withThermal({ busId: 5, minGenerationMw: 30 }),
      lineBounds: [{ id: 8, stageId: 0, values: {} }],
    });
    assert.throws(
      () => issues.throwIfErrors(),
      (error) => {
        assert.ok(error instanceof ValidationError);
        assert.equal(error.issues.length, 3);
        assert.match(
          error.message,
          /^the case has 3 errors:\n- system\/thermals.*\n- system\/thermals.*\n- constraints\/line_bounds/,
        );
        return true;
      },
    );
  });

  it("is not a thermal that is paid to run in a stage", () => {
    const thermalBounds = [{ id: 2, stageId: 0, values: { costPerMwh: -5 } }];
    assert.deepEqual(build({ ...toy(), thermalBounds }).errors, []);
  });

  it("may be only a warning", () => {
    const storage = [{ hydroId: 3, valueHm3: 101 }];
    const { errors, warnings, issues } = build({
      ...withThermal({ costPerMwh: -1 }),
      initialConditions: { storage },
    });
    assert.deepEqual(errors, []);
    assert.equal(warnings.length, 3);
    assert.match(
      warnings.join("\n"),
      /cost_per_mwh: is -1.*\n.*hydro 3: storage\.value_hm3: is 101, outside 0 to 100.*\n.*hydro 5: storage: is missing/,
    );
    issues.throwIfErrors();
  });
});
