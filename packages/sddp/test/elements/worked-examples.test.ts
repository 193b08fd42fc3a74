/**
 * Examples with round numbers that no other file of this folder has as they are. A stage has 1000 hours unless said, 1 m³/s is 3.6 hm³, thermal
 * power costs 100 $/MWh. Costs are in $.
 */
import { describe, it } from "node:test";
import { ELEMENTS } from "#internal";
import { near, plant } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

interface Example {
  readonly name: string;
  readonly input: SmallInput;
  readonly cost: number;
  /** Some values of the solution: the family, the entity, and what it is. */
  readonly values?: readonly (readonly [family: string, entity: number, value: number])[];
}

const EXAMPLES: readonly Example[] = [
  {
    name: "water that is diverted to a plant with twice the productivity",
    input: {
      hydros: [
        { id: 1, diversion: { downstreamId: 2, maxFlowM3s: 4 } },
        { id: 2, productivityMwPerM3s: 2 },
      ],
      storage: [36, 0],
      load: [20],
      penalties: { diversionCost: 0.01 },
    },
    cost: 600_040,
    values: [
      ["diverted", 0, 4],
      ["turbined", 0, 6],
    ],
  },
  {
    name: "a load with factors of blocks, in one of two equal stages",
    input: {
      hours: [400, 330],
      thermals: [plant(1, 5, 15), plant(2, 10, 15)],
      load: [20],
      loadFactors: [
        {
          busId: 1,
          stageId: 0,
          factors: [
            { blockId: 0, factor: 0.8 },
            { blockId: 1, factor: 1.2 },
          ],
        },
      ],
    },
    cost: 176_900 / 2,
  },
  {
    name: "a negative inflow to which water is added, which the lags do not see",
    input: {
      hydros: [{ id: 1 }],
      inflow: [[-20, 0]],
      load: [10],
      method: "penalty",
      penalties: { inflowNonnegativityCost: 1000 },
    },
    cost: 2e7 + 1_000_000,
    values: [
      ["inflow_penalty", 0, 20],
      ["turbined", 0, 0],
      ["inflow", 0, -20],
    ],
  },
  {
    name: "a negative inflow that is truncated, which the lags see",
    input: { hydros: [{ id: 1 }], inflow: [[-20, 10]], load: [10], method: "truncation" },
    cost: 1_000_000,
    values: [
      ["turbined", 0, 0],
      ["inflow", 0, 0],
    ],
  },
];

describe("an example with round numbers:", () => {
  for (const { name, input, cost, values = [] } of EXAMPLES)
    it(name, async () => {
      const model = smallModel({ hours: [1000], thermals: [plant(1, 100, 1e6)], ...input });
      const solved = await solveWith(model, ELEMENTS);
      near(solved.cost, cost);
      for (const [family, entity, value] of values) near(solved.value(family, entity), value);
    });
});
