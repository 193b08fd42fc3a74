import type { StageTable } from "@cobre/core";
import type { CostKind } from "../../results/stage-results.js";
import { scaled, type Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/** Limits of hydro plants that may be violated at a penalty: outflow, turbined flow, generation. */
export const hydroLimits: Element = (builder) => {
  const { model, stage, program, blockIds, blocks } = builder;
  const { system, hydros: at, hydroPenalties: penalty } = model.study;
  const ids = system.hydros.map(({ id }) => id);
  const slack = (kind: CostKind, cost: StageTable, isThere: (h: number) => boolean) =>
    program.family(kind, {
      labels: ids,
      blocks: blockIds,
      kind,
      cost: builder.hourly((h) => cost.at(stage, h)),
      isThere,
    });
  const minOutflow = (h: number) => at.minOutflowM3s.at(stage, h);
  const maxOutflow = (h: number) => at.maxOutflowM3s.at(stage, h);
  const minTurbined = (h: number) => at.minTurbinedM3s.at(stage, h);
  const minGeneration = (h: number) => at.minGenerationMw.at(stage, h);
  const outflowBelow = slack(
    "outflow_violation_below",
    penalty.outflowViolationBelowCost,
    (h) => minOutflow(h) > 0,
  );
  const outflowAbove = slack(
    "outflow_violation_above",
    penalty.outflowViolationAboveCost,
    (h) => maxOutflow(h) < Number.POSITIVE_INFINITY,
  );
  const turbinedBelow = slack(
    "turbined_violation",
    penalty.turbinedViolationBelowCost,
    (h) => minTurbined(h) > 0,
  );
  const generationBelow = slack(
    "generation_violation",
    penalty.generationViolationBelowCost,
    (h) => minGeneration(h) > 0,
  );

  // Cobre 0.5 takes the productivity of the plant here, also in stages that have another one.
  const limitedGeneration =
    model.config.compat === undefined ? "hydro_generation" : "own_generation";
  program.express("own_generation", (h, k) => {
    const own = system.hydros[h].productivityMwPerM3s;
    const isFpha = model.study.production.planes[stage][h] !== undefined;
    return isFpha || own === undefined
      ? program.expression("hydro_generation", h, k)
      : scaled(program.expression("turbined", h, k), own);
  });
  const none = Number.POSITIVE_INFINITY;
  ids.forEach((id, h) => {
    blocks.forEach((block, k) => {
      const atLeast = (what: string, least: number, quantity: string, column: number) => {
        if (column < 0) return;
        const terms: Term[] = [...program.expression(quantity, h, k), [column, 1]];
        program.row(`${what}_${id}_${block.id}`, least, none, terms);
      };
      atLeast("min_outflow", minOutflow(h), "release", outflowBelow.column(h, k));
      const above = outflowAbove.column(h, k);
      if (above >= 0) {
        const terms: Term[] = [...program.expression("release", h, k), [above, -1]];
        program.row(`max_outflow_${id}_${block.id}`, -none, maxOutflow(h), terms);
      }
      atLeast("min_turbined", minTurbined(h), "turbined", turbinedBelow.column(h, k));
      const short = generationBelow.column(h, k);
      atLeast("min_generation", minGeneration(h), limitedGeneration, short);
    });
  });
  return {
    record({ hydros, primal }) {
      hydros.set("outflow_slack_below_m3s", (h, k) => outflowBelow.value(primal, h, k));
      hydros.set("outflow_slack_above_m3s", (h, k) => outflowAbove.value(primal, h, k));
      hydros.set("turbined_slack_m3s", (h, k) => turbinedBelow.value(primal, h, k));
      hydros.set("generation_slack_mw", (h, k) => generationBelow.value(primal, h, k));
    },
  };
};
