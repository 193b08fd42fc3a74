import { existsIn } from "@cobre/core";
import { stateOfFlow } from "../../results/codes.js";
import type { Element } from "./element.js";

/**
 * Non-controllable sources: what the opening makes available is used or curtailed. What is used earns the cost of curtailment, which is
 * the same as to pay for what is not used, less a constant.
 */
export const nonControllable: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { system, time, nonControllables: at, nonControllablePenalties } = model.study;
  const sources = system.nonControllables;
  const isThere = sources.map((source) => existsIn(source, time.stages[stage]));
  if (sources.length === 0) return {};
  const { availability, noiseOfNonControllable: noiseOf } = model;
  const K = blocks.length;
  const factors = model.study.nonControllableFactors[stage];
  // Cobre 0.5 does not look at the costs of single stages.
  const cost = (source: number) =>
    model.config.compat === undefined
      ? nonControllablePenalties.curtailmentCost.at(stage, source)
      : sources[source].curtailmentCost;
  /** Before the factor of the block: the power that is there without noise, or the most that noise can bring. */
  const most = (source: number) =>
    noiseOf[source] < 0
      ? at.availableMw.at(stage, source)
      : sources[source].maxGenerationMw * availability.mostShare(stage, source);
  /** [source · blocks + block] */
  const available = Float64Array.from(factors, (factor, i) => {
    const source = Math.floor(i / K);
    return isThere[source] ? most(source) * factor : 0;
  });
  const isPinned = (source: number) => !sources[source].allowsCurtailment;
  const generation = program.family("non_controllable_generation", {
    labels: sources.map(({ id }) => id),
    blocks: blockIds,
    cost: builder.hourly((source) => -cost(source)),
    // Noise may bring less than the most, so only a source without noise is pinned from the start.
    lower: (source, k) => (isPinned(source) && noiseOf[source] < 0 ? available[source * K + k] : 0),
    upper: (source, k) => available[source * K + k],
    isThere: (source) => isThere[source],
  });
  const power = program.balanceOf("power");
  system.busOfNonControllable.forEach((bus, source) => {
    blocks.forEach((_, k) => {
      power.add(bus, k, [[generation.column(source, k), 1]]);
    });
  });
  program.express("non_controllable_curtailment", (source, k) => [
    [generation.column(source, k), -1],
  ]);
  program.expressConstant("non_controllable_curtailment", (source, k) => available[source * K + k]);
  const uncertain = sources.flatMap((_, source) =>
    noiseOf[source] >= 0 && isThere[source] ? [source] : [],
  );
  const none = new Float64Array(K);
  return {
    open({ program: opened, noise, offset }) {
      for (const source of uncertain) {
        const share = availability.share(stage, source, noise[offset + noiseOf[source]]);
        const power = sources[source].maxGenerationMw * share;
        const limits = available.subarray(source * K, (source + 1) * K);
        for (let k = 0; k < K; k++) limits[k] = power * factors[source * K + k];
        opened.setColumnBounds(
          generation.column(source, 0),
          isPinned(source) ? limits : none,
          limits,
        );
      }
    },
    record({ nonControllables, costs, primal }) {
      const there = (source: number, k: number) => available[source * K + k];
      const value = (source: number, k: number) => generation.value(primal, source, k);
      const unused = (source: number, k: number) => there(source, k) - value(source, k);
      const paid = (source: number, k: number) =>
        cost(source) * unused(source, k) * blocks[k].hours;
      nonControllables.set("generation_mw", value);
      nonControllables.set("generation_mwh", (source, k) => value(source, k) * blocks[k].hours);
      nonControllables.set("available_mw", there);
      nonControllables.set("curtailment_mw", unused);
      nonControllables.set("curtailment_mwh", (source, k) => unused(source, k) * blocks[k].hours);
      nonControllables.set("curtailment_cost", paid);
      nonControllables.set("operative_state_code", (source, k) =>
        stateOfFlow(value(source, k), there(source, k)),
      );
      let sum = 0;
      sources.forEach((_, source) => {
        for (let k = 0; k < K; k++) sum += paid(source, k);
      });
      costs.set("curtailment_cost", () => sum);
    },
  };
};
