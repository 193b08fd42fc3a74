/** Numbers that a study works out for its plants: evaporation, what is left of an absent plant, productivities, variables of constraints. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GENERIC_VARIABLES, type GeometryRow, type HydroInput, type StudyInput } from "@cobre/core";
import { build, hydro, stage, toy } from "./toy.js";

/** Areas 1, 3 and 11 km² at 0, 40 and 100 hm³; the rows are not in order. */
const ROWS: readonly GeometryRow[] = [
  [100, 11],
  [0, 1],
  [40, 3],
].map(([volumeHm3 = 0, areaKm2 = 0]) => ({ hydroId: 5, volumeHm3, heightM: 1, areaKm2 }));
const MONTHS = Array.from({ length: 12 }, (_, month) => 36 * (month + 1));

function evaporating(fields: Partial<HydroInput>, rows = ROWS): StudyInput {
  const input = toy();
  const blocks = [
    { id: 0, name: "A", hours: 100 },
    { id: 1, name: "B", hours: 150 },
  ];
  return {
    ...input,
    system: { ...input.system, hydros: [hydro(3, { downstreamId: 5 }), hydro(5, fields)] },
    time: { ...input.time, stages: [stage(0, { seasonId: 0, blocks }), stage(1, { seasonId: 2 })] },
    hydroGeometry: rows,
  };
}

const near = (actual: number | undefined, expected: number) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-12, `${actual}, not ${expected}`);

describe("evaporation", () => {
  const due = (fields: Partial<HydroInput>) => {
    const { study, errors } = build(evaporating(fields));
    assert.deepEqual(errors, []);
    return study.evaporation.map((ofStage) => {
      assert.equal(ofStage[0], undefined, "hydro 3 has none");
      return ofStage[1] ?? assert.fail("nothing evaporates");
    });
  };
  /** m³/s of a millimetre on a km² in a stage of so many hours. */
  const flow = (mm: number, hours: number) => (mm * 1000) / (3600 * hours);

  it("is linear around the middle of the storages, or the volume of the month", () => {
    // Around 50 hm³ the area is 3 + 10 · 8 / 60, and grows by 8 / 60.
    const [first, second] = due({ evaporation: { coefficientsMm: MONTHS } });
    near(first?.slope, (flow(36, 250) * 8) / 60);
    near(first?.constant, flow(36, 250) * (3 + (10 * 8) / 60 - (50 * 8) / 60));
    near(second?.slope, (flow(108, 720) * 8) / 60);
    const referenceVolumesHm3 = new Array<number>(12).fill(20);
    const [lower] = due({ evaporation: { coefficientsMm: MONTHS, referenceVolumesHm3 } });
    near(lower?.slope, (flow(36, 250) * 2) / 40);
    near(lower?.constant, flow(36, 250) * 1);
    const narrow = { minStorageHm3: 10, maxStorageHm3: 30 };
    const [middle] = due({ ...narrow, evaporation: { coefficientsMm: MONTHS } });
    near(middle?.slope, (flow(36, 250) * 2) / 40);
  });

  it("has at a row the slope to its right, and at the last one that to its left", () => {
    const around = (volume: number) =>
      due({
        evaporation: {
          coefficientsMm: MONTHS,
          referenceVolumesHm3: new Array<number>(12).fill(volume),
        },
      })[0];
    near(around(0)?.slope, (flow(36, 250) * 2) / 40);
    near(around(0)?.constant, flow(36, 250) * 1);
    near(around(40)?.slope, (flow(36, 250) * 8) / 60);
    near(around(40)?.constant, flow(36, 250) * (3 - (40 * 8) / 60));
    near(around(100)?.slope, (flow(36, 250) * 8) / 60);
    near(around(100)?.constant, flow(36, 250) * (11 - (100 * 8) / 60));
  });

  it("is of an area that does not change where there is one row", () => {
    const one = ROWS.slice(0, 1);
    const input = evaporating({ evaporation: { coefficientsMm: MONTHS } }, one);
    const { study, errors } = build(input);
    assert.deepEqual(errors, []);
    near(study.evaporation[0]?.[1]?.slope, 0);
    near(study.evaporation[0]?.[1]?.constant, flow(36, 250) * 11);
  });

  it("has one area at a volume, which does not fall", () => {
    const first = ROWS[0] as GeometryRow;
    const told = (row: Partial<GeometryRow>) =>
      build(
        evaporating({ evaporation: { coefficientsMm: MONTHS } }, [...ROWS, { ...first, ...row }]),
      ).errors.map((error) => error.replace(/^.*: hydro 5: /, ""));
    assert.match(
      told({ volumeHm3: 40, areaKm2: 3 }).join(),
      /^volume_hm3: there are two rows at 40/,
    );
    assert.match(
      told({ volumeHm3: 120, areaKm2: 10 }).join(),
      /^area_km2: falls from 11 to 10 at 120/,
    );
    assert.match(
      told({ volumeHm3: 120, heightM: 0 }).join(),
      /^height_m: falls from 1 to 0 at 120/,
    );
    assert.deepEqual(told({ volumeHm3: 120 }), []);
  });

  it("may be told around the limits of storage, and not beyond", () => {
    const limits = { minStorageHm3: 10, maxStorageHm3: 90 };
    const around = (volume: number) =>
      build(
        evaporating({
          ...limits,
          evaporation: {
            coefficientsMm: MONTHS,
            referenceVolumesHm3: MONTHS.map((_, month) => (month === 4 ? volume : 50)),
          },
        }),
      ).errors.length;
    assert.deepEqual([9.9, 10, 90, 90.1].map(around), [1, 0, 0, 1]);
  });

  it("takes geometry of a plant that uses it, and warns of others", () => {
    const used = build(evaporating({ evaporation: { coefficientsMm: MONTHS } }));
    assert.deepEqual(used.warnings, []);
    const others = ROWS.map((row) => ({ ...row, hydroId: 3 }));
    const both = build(
      evaporating({ evaporation: { coefficientsMm: MONTHS } }, [...ROWS, ...others]),
    );
    assert.equal(both.warnings.length, 1);
    assert.match(both.warnings.join(), /hydro 3: has no effect: the plant has neither evaporation/);
  });
});

describe("a plant that comes later", () => {
  it("may keep what it has stored, were it above all of its limits, and has no others", () => {
    const input = evaporating({ entryStageId: 1, evaporation: { coefficientsMm: MONTHS } });
    const storage = [
      { hydroId: 3, valueHm3: 1 },
      { hydroId: 5, valueHm3: 130 },
    ];
    const { study } = build({
      ...input,
      initialConditions: { storage },
      hydroBounds: [{ id: 5, stageId: 1, values: { maxStorageHm3: 90 } }],
    });
    const { maxStorageHm3, maxTurbinedM3s, maxOutflowM3s, maxSpillageM3s, minSpillageM3s } =
      study.hydros;
    assert.deepEqual([maxStorageHm3.at(0, 1), maxStorageHm3.at(1, 1)], [130, 90]);
    assert.deepEqual([maxTurbinedM3s.at(0, 1), maxTurbinedM3s.at(1, 1)], [0, 50]);
    assert.equal(maxOutflowM3s.at(0, 1), Number.POSITIVE_INFINITY);
    assert.equal(maxSpillageM3s.at(0, 1), Number.POSITIVE_INFINITY);
    assert.deepEqual(
      [minSpillageM3s.at(0, 1), minSpillageM3s.at(1, 1)],
      [Number.NEGATIVE_INFINITY, 0],
    );
    assert.deepEqual(
      [study.evaporation[0]?.[1], study.evaporation[1]?.[1] !== undefined],
      [undefined, true],
    );
    // The plant beside it is there.
    assert.equal(maxTurbinedM3s.at(0, 0), 50);
    assert.equal(maxStorageHm3.at(0, 0), 100);
  });
});

describe("productivities", () => {
  it("are those of the plant, but where a range of stages has another", () => {
    const input = toy();
    const { study, errors } = build({
      ...input,
      production: {
        planes: [],
        models: [
          {
            hydroId: 5,
            ranges: [
              { startStageId: 1, endStageId: 1, model: "constant_productivity", productivity: 0.7 },
              { startStageId: 0, endStageId: 0, model: "constant_productivity", productivity: 0.4 },
              { startStageId: 2, model: "constant_productivity" },
            ],
          },
        ],
      },
    });
    assert.deepEqual(errors, []);
    const at = (h: number) => [0, 1, 2].map((t) => study.production.productivity.at(t, h));
    assert.deepEqual(at(1), [0.4, 0.7, 1]);
    assert.deepEqual(at(0), [1, 1, 1]);
  });
});

describe("variables of constraints", () => {
  it("have a block, but for those of the water in reservoirs and of commitments", () => {
    const ofStage = Object.entries(GENERIC_VARIABLES).filter(([, { isOfBlock }]) => !isOfBlock);
    assert.deepEqual(
      ofStage.map(([name]) => name),
      [
        "hydro_storage",
        "hydro_storage_initial",
        "hydro_storage_final",
        "hydro_useful_volume_initial",
        "hydro_useful_volume_final",
        "hydro_evaporation",
        "hydro_withdrawal",
        "anticipated_decision",
      ],
    );
  });
});
