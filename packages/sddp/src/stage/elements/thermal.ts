import { COST_SCALE } from "../../model.js";
import { stateOfFlow } from "../../results/codes.js";
import type { Element } from "./element.js";

/**
 * Thermal plants: generation at a cost, between two limits. What was committed before the stage is paid for where it was decided
 * (commitment.ts).
 */
export const thermal: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { system, thermals: at, commitments } = model.study;
  const isDelivery = (plant: number) => commitments.isDelivery[stage][plant];
  const generation = program.family("thermal_generation", {
    labels: system.thermals.map(({ id }) => id),
    blocks: blockIds,
    cost: builder.hourly((plant) => (isDelivery(plant) ? 0 : at.costPerMwh.at(stage, plant))),
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
      const mw = thermals.column("generation_mw");
      const mwh = thermals.column("generation_mwh");
      const costs = thermals.column("generation_cost");
      const states = thermals.column("operative_state_code");
      thermals.each((row, plant, k) => {
        const column = generation.column(plant, k);
        const value = primal[column];
        mw[row] = value;
        mwh[row] = value * blocks[k].hours;
        costs[row] = cost[column] * value * COST_SCALE;
        states[row] = stateOfFlow(value, columnUpper[column]);
      });
    },
  };
};
