import { COST_SCALE, hasInflowSlack } from "../../model.js";
import type { Element } from "./element.js";
import { ownTerm } from "./inflow.js";

/**
 * Water that is added to negative inflows at a penalty, where the case asks for it. No more is added than is missing.
 *
 * A limit that follows the inflow, and with it the past inflows in the state, would make the cost a function of the state that is not convex,
 * and cuts could lie above it. So for a cut the limit is that of the smallest inflow the opening can bring: the same in every state,
 * exact without lags, and else a relaxation, whose cuts are valid.
 */
export const inflowSlack: Element = (builder) => {
  const { model, stage, program, blocks } = builder;
  if (!hasInflowSlack(model.config)) return {};
  const { hydros, inflows } = model;
  const penalty = model.study.hydroPenalties.inflowNonnegativityCost;
  let hours = 0;
  for (const block of blocks) hours += block.hours;
  const slack = program.family("inflow_penalty", {
    labels: model.study.system.hydros.map(({ id }) => id),
    cost: (h) => (penalty.at(stage, h) * hours) / COST_SCALE,
    kind: "inflow_penalty",
    upper: () => 0,
  });
  const water = program.balanceOf("water");
  builder.waterPeriods.forEach(({ volume }, period) => {
    for (let h = 0; h < hydros; h++) water.add(h, period, [[slack.column(h), -volume]]);
  });
  const inflow = program.knownOf("inflow");
  const none = new Float64Array(hydros);
  const limits = new Float64Array(hydros);
  return {
    open({ program: opened, known, noise, offset, isForCut }) {
      for (let h = 0; h < hydros; h++) {
        const past = inflows.lowestLagTerm[stage * hydros + h];
        const least = isForCut
          ? past + ownTerm(model, stage, h, noise[offset + h], past)
          : known[inflow.known + h];
        limits[h] = Math.max(0, -least);
      }
      if (hydros > 0) opened.setColumnBounds(slack.column(0), none, limits);
    },
    record({ hydros: plants, primal }) {
      plants.set("inflow_nonnegativity_slack_m3s", (h) => slack.value(primal, h));
    },
  };
};
