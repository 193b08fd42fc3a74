/** Which of the costs of a direction holds: of the stage, of the plant, of the system; in each the one of the direction first. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildStudy, IssueCollector, type StudyInput } from "@cobre/core";
import { build, toy } from "./toy.js";

type Costs = { readonly both?: number; readonly pos?: number };

const fields = ({ both, pos }: Costs) => ({
  ...(both !== undefined && { evaporationViolationCost: both }),
  ...(pos !== undefined && { evaporationViolationPosCost: pos }),
});

/** The costs above and below in a stage of hydro 3. */
function costs(
  system: Costs,
  plant: Costs,
  ofStage: Costs,
  stageId = 1,
): [pos: number, neg: number] {
  const input = toy();
  const study: StudyInput = {
    ...input,
    penalties: { ...input.penalties, hydro: { ...input.penalties.hydro, ...fields(system) } },
    system: {
      ...input.system,
      hydros: input.system.hydros.map((hydro) =>
        hydro.id === 3 ? { ...hydro, penalties: fields(plant) } : hydro,
      ),
    },
    hydroPenalties: [{ id: 3, stageId, values: fields(ofStage) }],
  };
  const issues = new IssueCollector();
  const { hydroPenalties, system: built } = buildStudy(study, issues);
  assert.deepEqual(issues.errors, []);
  const h = built.hydros.findIndex(({ id }) => id === 3);
  return [
    hydroPenalties.evaporationViolationPosCost.at(stageId, h),
    hydroPenalties.evaporationViolationNegCost.at(stageId, h),
  ];
}

describe("the cost of a direction", () => {
  const CASES: readonly [system: Costs, plant: Costs, stage: Costs, pos: number, neg: number][] = [
    [{ both: 1 }, {}, {}, 1, 1],
    [{ both: 1, pos: 2 }, {}, {}, 2, 1],
    [{ both: 1, pos: 2 }, { both: 3 }, {}, 3, 3],
    [{ both: 1, pos: 2 }, { both: 3, pos: 4 }, {}, 4, 3],
    [{ both: 1, pos: 2 }, { both: 3, pos: 4 }, { both: 5 }, 5, 5],
    [{ both: 1, pos: 2 }, { both: 3, pos: 4 }, { both: 5, pos: 6 }, 6, 5],
    [{ both: 1, pos: 2 }, { pos: 4 }, { pos: 6 }, 6, 1],
  ];
  for (const [system, plant, stage, pos, neg] of CASES) {
    it(`${JSON.stringify([system, plant, stage])}`, () => {
      assert.deepEqual(costs(system, plant, stage), [pos, neg]);
      assert.deepEqual(costs(system, plant, stage, 0), [pos, neg]);
    });
  }

  it("is told once if it is wrong for both, and for a direction that is wrong by itself", () => {
    const told = (costs: Costs) => {
      const input = toy();
      const hydro = { ...input.penalties.hydro, ...fields(costs) };
      const { errors } = build({ ...input, penalties: { ...input.penalties, hydro } });
      return errors.map((error) => error.replace(/^.*?(evaporation\w+): .*/, "$1"));
    };
    // For the system, and for each of the two plants that take it from there.
    const thrice = (field: string) => [field, field, field];
    assert.deepEqual(told({ both: 0 }), thrice("evaporation_violation_cost"));
    assert.deepEqual(told({ both: 5, pos: 0 }), thrice("evaporation_violation_pos_cost"));
  });

  it("of a stage or plant that does not exist is told, and changes nothing", () => {
    const rows = [
      { id: 9, stageId: 1, values: { evaporationViolationCost: 5 } },
      { id: 3, stageId: 9, values: { evaporationViolationCost: 5 } },
    ];
    const { errors } = build({ ...toy(), hydroPenalties: rows });
    assert.equal(errors.length, 2);
  });
});
