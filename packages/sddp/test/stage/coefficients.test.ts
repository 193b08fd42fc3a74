/** The coefficients of programs, family by family, and where in a case those come from that are too far apart. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { type CoefficientRange, coefficientReport, DANGEROUS_RATIO, ratioOf } from "@cobre/sddp";
import { coefficientPlace, FamilyCollector, familyOf } from "#internal";
import { caseNamed } from "../cases.js";

describe("the family of a name", () => {
  it("is what stands before the entity, the block, a stage or a lag", () => {
    const names = {
      turbined_3_0: "turbined",
      "turbined_-3_0": "turbined",
      outflow_violation_below_12_1: "outflow_violation_below",
      generic_1_stage_0: "generic",
      past_inflow_lag2_4: "past_inflow",
      theta: "theta",
    };
    for (const [name, family] of Object.entries(names)) assert.equal(familyOf(name), family);
  });
});

describe("the coefficients of all stages", () => {
  /** Two stages of three columns and two rows; the second stage has no first row. */
  const collector = new FamilyCollector();
  const columns = ["flow_1_0", "flow_2_0", "theta"];
  collector.add(0, {
    names: { columns, rows: ["water_1", "power_1_0"] },
    data: {
      cost: Float64Array.of(-2, 0, 1),
      columnLower: Float64Array.of(0, -30, -Infinity),
      columnUpper: Float64Array.of(50, 40, Infinity),
      rows: {
        lower: Float64Array.of(-7, 0),
        upper: Float64Array.of(9, Infinity),
        starts: Int32Array.of(0, 2, 4),
        indices: Int32Array.of(0, 1, 1, 2),
        values: Float64Array.of(3, -0.5, 4, 0),
      },
    },
  } as unknown as Parameters<FamilyCollector["add"]>[1]);
  collector.add(1, {
    names: { columns, rows: ["power_1_0"] },
    data: {
      cost: Float64Array.of(2, 8, 1),
      columnLower: Float64Array.of(0, 0, -Infinity),
      columnUpper: Float64Array.of(50, 20, Infinity),
      rows: {
        lower: Float64Array.of(5),
        upper: Float64Array.of(5),
        starts: Int32Array.of(0, 1),
        indices: Int32Array.of(0),
        values: Float64Array.of(-6),
      },
    },
  } as unknown as Parameters<FamilyCollector["add"]>[1]);
  const found = collector.result();

  it("are the smallest and the largest that are neither 0 nor infinite, without signs; of equal ones the first", () => {
    const half = { magnitude: 0.5, stage: 0, column: "flow_2_0", row: "water_1" };
    const six = { magnitude: 6, stage: 1, column: "flow_1_0", row: "power_1_0" };
    assert.deepEqual(found.matrix, { smallest: half, largest: six });
    assert.deepEqual(found.costs, {
      smallest: { magnitude: 1, stage: 0, column: "theta" },
      largest: { magnitude: 8, stage: 1, column: "flow_2_0" },
    });
    assert.deepEqual(found.bounds, {
      smallest: { magnitude: 20, stage: 1, column: "flow_2_0" },
      largest: { magnitude: 50, stage: 0, column: "flow_1_0" },
    });
    assert.deepEqual(found.rightSides, {
      smallest: { magnitude: 5, stage: 1, row: "power_1_0" },
      largest: { magnitude: 9, stage: 0, row: "water_1" },
    });
    assert.equal(ratioOf({ smallest: half, largest: six }), 12);
  });

  it("are told family by family, in the order in which families come", () => {
    assert.deepEqual(
      found.columns.map(({ family, count }) => [family, count]),
      [
        ["flow", 4],
        ["theta", 2],
      ],
    );
    const [flow, theta] = found.columns;
    assert.deepEqual(
      [flow.costs?.smallest.magnitude, flow.costs?.largest.magnitude, flow.bounds, flow.matrix],
      [2, 8, found.bounds, found.matrix],
    );
    assert.equal(theta.costs?.largest.magnitude, 1);
    assert.deepEqual([theta.bounds, theta.matrix], [undefined, undefined]);
    assert.deepEqual(
      found.rows.map(({ family, count, matrix, rightSides }) => [
        family,
        count,
        matrix?.smallest.magnitude,
        matrix?.largest.magnitude,
        rightSides?.smallest.magnitude,
        rightSides?.largest.magnitude,
      ]),
      [
        ["water", 1, 0.5, 3, 7, 9],
        ["power", 2, 4, 6, 5, 5],
      ],
    );
  });
});

describe("the place of a coefficient", () => {
  type Part = Parameters<typeof coefficientPlace>[0];
  const placeOf = (part: Part, column?: string, row?: string) => {
    const place = coefficientPlace(part, { magnitude: 1, stage: 1, column, row }, [10, 11]);
    return place && `${place.file}: ${place.entity}, ${place.field}`;
  };

  it("is the file, the entity and the field", () => {
    const hydros = "system/hydros.json: hydro 3, ";
    const planes = "system/fpha_hyperplanes.parquet: hydro 3, ";
    const places: readonly [Part, string | undefined, string | undefined, string | undefined][] = [
      ["costs", "spillage_3_0", undefined, `${hydros}penalties.spillage_cost`],
      ["bounds", "turbined_3_0", undefined, `${hydros}generation.max_turbined_m3s`],
      [
        "bounds",
        "thermal_generation_-2_0",
        undefined,
        "system/thermals.json: thermal -2, generation.max_mw",
      ],
      ["costs", "deficit_1_0_0", undefined, "system/buses.json: bus 1, deficit_segments.cost"],
      ["rightSides", undefined, "min_outflow_3_0", `${hydros}outflow.min_outflow_m3s`],
      ["rightSides", "spillage_3_0", "units_3_0", undefined],
      ["costs", "storage_3", "min_outflow_3_0", undefined],
      ["costs", "theta", undefined, undefined],
      ["bounds", undefined, undefined, undefined],
      ["rightSides", undefined, undefined, undefined],
      ["matrix", "turbined_3_0", "power_1_0", `${hydros}generation.productivity_mw_per_m3s`],
      ["matrix", "spillage_3_0", "plane_3_0_1", `${planes}gamma_s`],
      ["matrix", "spillage_3_0", "power_1_0", undefined],
      ["matrix", "turbined_3_0", "water_3", "stages.json: stage 11, blocks.hours"],
      ["matrix", "storage_before_3", "water_3", undefined],
      ["matrix", "storage_3", "water_3", undefined],
      ["matrix", undefined, undefined, undefined],
      [
        "matrix",
        "turbined_3_0",
        "generic_4_0",
        "constraints/generic_constraints.json: constraint 4, expression",
      ],
    ];
    for (const [part, column, row, place] of places) {
      assert.equal(placeOf(part, column, row), place, `${part} of ${column} in ${row}`);
    }
  });

  it("has the index of a stage that has no id", () => {
    const place = coefficientPlace(
      "matrix",
      { magnitude: 1, stage: 5, column: "a", row: "water_3" },
      [],
    );
    assert.equal(place?.entity, "stage 5");
  });
});

describe("the report on a case", () => {
  it("has an advice for each part whose coefficients are too far apart, and no other", async () => {
    using comm = new LocalCommunicator();
    const source = await caseNamed("one-reservoir");
    const fine = coefficientReport(comm, source);
    assert.deepEqual(fine.advice, []);
    const stages = source.study.time.stages.length;
    const ofFamily = (name: string) => fine.columns.find(({ family }) => family === name);
    assert.equal(ofFamily("thermal_generation")?.count, 2 * stages);
    assert.ok(fine.costs !== undefined && ratioOf(fine.costs) < DANGEROUS_RATIO);
    assert.equal(ofFamily("future")?.count, stages);

    const dear = fine.costs.smallest.magnitude * 1000 * DANGEROUS_RATIO;
    const hours = source.study.time.stages[1].blocks[0].hours;
    for (const [times, isDangerous] of [
      [0.999, false],
      [1.001, true],
    ] as const) {
      source.study.thermals.costPerMwh.values[3] = (times * dear) / hours;
      const { advice } = coefficientReport(comm, source);
      assert.equal(advice.length, isDangerous ? 1 : 0, `${times}`);
      if (!isDangerous) continue;
      const [{ part, ratio, largest, smallest, remedy }] = advice;
      assert.equal(part, "costs");
      assert.ok(Math.abs(ratio / (times * DANGEROUS_RATIO) - 1) < 1e-9, `${ratio}`);
      assert.deepEqual([largest.stage, largest.column], [1, "thermal_generation_1_0"]);
      assert.deepEqual(largest.place, {
        file: "system/thermals.json",
        entity: "thermal 1",
        field: "cost_per_mwh",
      });
      assert.equal(smallest.magnitude, fine.costs.smallest.magnitude);
      assert.match(remedy, /penalties\.json/);
    }
  });

  it("has the least future cost of each stage among the bounds", async () => {
    using comm = new LocalCommunicator();
    const source = await caseNamed("one-reservoir");
    source.study.thermals.costPerMwh.values.fill(-1);
    const { columns } = coefficientReport(comm, source);
    const bounds = columns.find(({ family }) => family === "future")?.bounds;
    // The more stages follow, the more can be earned. Nothing follows the last one.
    assert.deepEqual([bounds?.largest.stage, bounds?.smallest.stage], [0, 10]);
    assert.equal(Math.round(ratioOf(bounds as CoefficientRange)), 11);
  });
});
