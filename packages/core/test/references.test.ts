import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { seasonCycle } from "@cobre/core";
import { build, hydro, toy } from "./toy.js";

describe("a row of an unknown plant or stage", () => {
  it("is told once, whatever its values", () => {
    const rows = (id: number, stageId: number) => {
      const values = { minGenerationMw: 9, maxGenerationMw: -1 };
      return build({ ...toy(), thermalBounds: [{ id, stageId, values }] }).errors;
    };
    for (const errors of [rows(2, 9), rows(9, 0)]) {
      assert.equal(errors.length, 1, errors.join("\n"));
      assert.match(errors[0] as string, /(stage|thermal) 9 does not exist/);
    }
  });
});

describe("the second of two with the same id", () => {
  it("is left out", () => {
    const input = toy();
    const buses = [...input.system.buses, { id: 7, name: "OTHER" }];
    const { study } = build({ ...input, system: { ...input.system, buses } });
    assert.deepEqual(
      study.system.buses.map(({ name }) => name),
      ["SOUTH", "NORTH"],
    );
  });
});

describe("a custom season without a day", () => {
  it("begins on day 1 of its month, after any that begins before", () => {
    const seasons = [
      { id: 5, monthStart: 4 },
      { id: 7, monthStart: 4, dayStart: 0 },
    ];
    assert.deepEqual(seasonCycle({ cycle: "custom", seasons }, []), [7, 5]);
  });
});

describe("a diversion", () => {
  it("leads to another plant, with a limit that stages may change", () => {
    const input = toy();
    const diverting = hydro(5, { diversion: { downstreamId: 3, maxFlowM3s: 4 } });
    const hydros = [diverting, ...input.system.hydros.slice(1)];
    const { study, errors } = build({
      ...input,
      system: { ...input.system, hydros },
      hydroBounds: [
        { id: 5, stageId: 1, values: { maxDiversionM3s: 6 } },
        { id: 3, stageId: 1, values: { maxDiversionM3s: 0 } },
      ],
    });
    assert.deepEqual(errors, []);
    // Plants are in the order of their ids: 3, then 5.
    assert.deepEqual([...study.system.diversionOfHydro], [-1, 0]);
    const { maxDiversionM3s } = study.hydros;
    assert.deepEqual([maxDiversionM3s.at(0, 0), maxDiversionM3s.at(0, 1)], [0, 4]);
    assert.deepEqual([maxDiversionM3s.at(1, 0), maxDiversionM3s.at(1, 1)], [0, 6]);
  });
});
