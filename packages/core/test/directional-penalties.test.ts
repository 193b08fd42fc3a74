/** Which of the costs of a direction holds: of the stage, of the plant, of the system; in each the one of the direction first. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildStudy, IssueCollector, type StudyInput } from "@cobre/core";
import { toy } from "./toy.js";

type Costs = { readonly both?: number; readonly pos?: number };

const fields = ({ both, pos }: Costs) => ({
  ...(both !== undefined && { evaporationViolationCost: both }),
  ...(pos !== undefined && { evaporationViolationPosCost: pos }),
});

/** The costs above and below in stage 1 of hydro 3. */
function costs(system: Costs, plant: Costs, ofStage: Costs): [pos: number, neg: number] {
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
    hydroPenalties: [{ id: 3, stageId: 1, values: fields(ofStage) }],
  };
  const issues = new IssueCollector();
  const { hydroPenalties, system: built } = buildStudy(study, issues);
  assert.deepEqual(issues.errors, []);
  const h = built.hydros.findIndex(({ id }) => id === 3);
  return [
    hydroPenalties.evaporationViolationPosCost.at(1, h),
    hydroPenalties.evaporationViolationNegCost.at(1, h),
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
    });
  }
});
