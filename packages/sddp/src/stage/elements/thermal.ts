import { COST_SCALE } from "../../model.js";
import { stateOfFlow } from "../../results/codes.js";
import type { Element } from "./element.js";

/** Thermal plants: generation at a cost, between two limits. */
export const thermal: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { system, thermals: at } = model.study;
  const generation = program.family("thermal_generation", {
    labels: system.thermals.map(({ id }) => id),
    blocks: blockIds,
    cost: builder.hourly((plant) => at.costPerMwh.at(stage, plant)),
    kind: "thermal",
    lower: (plant, k) => at.minGenerationMw.at(stage, plant, k),
    upper: (plant, k) => at.maxGenerationMw.at(stage, plant, k),
  });
  const power = program.balanceOf("power");
  system.busOfThermal.forEach((bus, plant) => {
    blocks.forEach((_, k) => {
      power.add(bus, k, [[generation.column(plant, k), 1]]);
    });
  });
  return {
    record({ thermals, primal, data }) {
      const { cost, columnUpper } = data;
      const value = (plant: number, k: number) => generation.value(primal, plant, k);
      thermals.set("generation_mw", value);
      thermals.set("generation_mwh", (plant, k) => value(plant, k) * blocks[k].hours);
      thermals.set(
        "generation_cost",
        (plant, k) => cost[generation.column(plant, k)] * value(plant, k) * COST_SCALE,
      );
      thermals.set("operative_state_code", (plant, k) =>
        stateOfFlow(value(plant, k), columnUpper[generation.column(plant, k)]),
      );
    },
  };
};
