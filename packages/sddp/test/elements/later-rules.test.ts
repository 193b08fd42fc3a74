/** Where Cobre 0.18 has another rule than Cobre 0.5: both, beside optima derived by hand. A stage has 1000 h, 1 m³/s is 3.6 hm³, thermal power costs 100 $/MWh. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ComputedTag, GenericBoundInput, ParameterInput } from "@cobre/core";
import { ELEMENTS } from "#internal";
import { near } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

async function costOf(input: Partial<SmallInput>): Promise<number> {
  const limits = { minGenerationMw: 0, maxGenerationMw: 1e6 };
  const model = smallModel({
    hours: [1000],
    hydros: [{ id: 1 }],
    thermals: [{ id: 1, name: "thermal", busId: 1, ...limits, costPerMwh: 100 }],
    ...input,
  });
  return (await solveWith(model, ELEMENTS)).cost;
}

const LATER = { dialect: "0.18" } as const;

describe("turbined water", () => {
  // 10 m³/s are turbined; 10 MW are thermal.
  const input = { storage: [36], load: [20], penalties: { fphaTurbinedCost: 0.01 } };

  it("costs only where planes hold in Cobre 0.5, and everywhere in Cobre 0.18", async () => {
    near(await costOf(input), 10 * 100 * 1000);
    near(await costOf({ ...input, ...LATER }), 10 * 100 * 1000 + 0.01 * 1000 * 10);
  });
});

describe("the limits of the outflow", () => {
  // Water of plant 1 generates twice as much at plant 2, to which 4 m³/s can be diverted, at 1 $ an hour. 5 m³/s are to leave plant 1.
  const input = {
    hydros: [
      { id: 1, minOutflowM3s: 5, diversion: { downstreamId: 2, maxFlowM3s: 4 } },
      { id: 2, productivityMwPerM3s: 2 },
    ],
    storage: [18, 0],
    load: [20],
  };
  const cost = (20 - 1 - 2 * 4) * 100 * 1000 + 4 * 1000;

  it("count diverted water in Cobre 0.5, and do not in Cobre 0.18", async () => {
    near(await costOf(input), cost);
    near(await costOf({ ...input, ...LATER }), cost + 4 * 5 * 1000);
  });
});

describe("evaporation", () => {
  // The area is 0 to 10 km² for 0 to 100 hm³; all water is used, so that half of it evaporates from.
  const input = {
    hydros: [{ id: 1, evaporation: { coefficientsMm: [36, 72, ...new Array(10).fill(0)] } }],
    hydroGeometry: [
      { hydroId: 1, volumeHm3: 0, heightM: 0, areaKm2: 0 },
      { hydroId: 1, volumeHm3: 100, heightM: 1, areaKm2: 10 },
    ],
    storage: [100],
    load: [30],
    season: 1,
    penalties: { evaporationViolationCost: 1e4 },
  };
  const cost = (mm: number, hours: number) =>
    (30 - (100 / 3.6 - ((mm * 0.1) / (3.6 * hours)) * 50)) * 100 * 1000;

  it("is that of a season in Cobre 0.5, and a share of the month of the first day in Cobre 0.18", async () => {
    near(await costOf(input), cost(72, 1000));
    near(await costOf({ ...input, ...LATER }), cost(36, 744)); // January has 744 h
  });
});

describe("a constraint of Cobre 0.18", () => {
  const constrained = (
    expression: string,
    bound: Partial<GenericBoundInput> = {},
    genericParameters: readonly ParameterInput[] = [],
  ) =>
    costOf({
      storage: [46],
      hydros: [{ id: 1, minStorageHm3: 10 }],
      load: [20],
      more: {
        genericParameters,
        genericConstraints: [{ id: 1, name: "C", expression, slackPenalty: undefined }],
        genericBounds: [{ constraintId: 1, stageId: 0, blockId: undefined, ...bound }],
      },
    });
  // Without it 36 hm³ are used, and 10 MW are thermal.
  const withThermal = (mw: number) => mw * 100 * 1000;

  it("has a bound in its text, and what lies below the minimum is no useful volume", async () => {
    near(await constrained("hydro_useful_volume_final(1) >= 18"), withThermal(20 - 18 / 3.6));
    near(await constrained("hydro_storage_final(1) >= 28"), withThermal(20 - 18 / 3.6));
  });

  it("has coefficients and bounds from parameters, to which those of the table are added", async () => {
    const parameters: readonly ParameterInput[] = [
      { id: 0, name: "half", kind: "constant", value: 0.5 },
      { id: 1, name: "least", kind: "per_stage_block", values: [[0, 0, 5]] },
    ];
    const text = "@half * thermal_generation(1) >= @least + 1";
    near(await constrained(text, {}, parameters), withThermal(12));
    near(await constrained(text, { lower: 2 }, parameters), withThermal(16));
    near(await constrained("thermal_generation(1)", { lower: 13, upper: 14 }), withThermal(13));
  });

  it("has coefficients and bounds that are reckoned of a plant", async () => {
    const computed = (id: number, name: string, tag: ComputedTag): ParameterInput => {
      return { id, name, kind: "computed", tag, hydroId: 1 };
    };
    const parameters = [
      computed(0, "worth", "integrated_accumulated_productivity"),
      computed(1, "most", "max_stored_energy"),
      computed(2, "unknown", "specific_productivity"),
      computed(3, "volume", "reference_volume"),
    ];
    // 90 hm³ above the minimum of 10.
    const text = "@worth * hydro_useful_volume_final(1) >= 0.2 * @most";
    near(await constrained(text, {}, parameters), withThermal(20 - 18 / 3.6));
    const half = "hydro_storage_final(1) >= @volume - 40.5";
    near(await constrained(half, {}, parameters), withThermal(20 - 18 / 3.6));
    await assert.rejects(
      () => constrained("thermal_generation(1) >= @unknown", {}, parameters),
      /parameter "unknown" has no value/,
    );
  });

  it("knows the storage at the start", async () => {
    near(
      await constrained("thermal_generation(1) >= 0.5 * hydro_storage_initial(1) - 10"),
      withThermal(13),
    );
  });
});
