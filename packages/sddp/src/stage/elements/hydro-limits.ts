import type { StageTable } from "@cobre/core";
import type { CostKind } from "../../results/stage-results.js";
import { scaled, type Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/** Limits of hydro plants that may be violated at a penalty: outflow, turbined flow, generation. */
export const hydroLimits: Element = (builder) => {
  const { model, stage, program, blockIds, blocks } = builder;
  const { system, hydros: at, hydroPenalties: penalty } = model.study;
  const ids = system.hydros.map(({ id }) => id);
  const slack = (kind: CostKind, cost: StageTable, isThere: (h: number, k: number) => boolean) =>
    program.family(kind, {
      labels: ids,
      blocks: blockIds,
      kind,
      cost: builder.hourly((h) => cost.at(stage, h)),
      isThere,
    });
  const minOutflow = (h: number, k: number) => at.minOutflowM3s.at(stage, h, k);
  const maxOutflow = (h: number, k: number) => at.maxOutflowM3s.at(stage, h, k);
  const minTurbined = (h: number, k: number) => at.minTurbinedM3s.at(stage, h, k);
  const minGeneration = (h: number, k: number) => at.minGenerationMw.at(stage, h, k);
  const outflowBelow = slack(
    "outflow_violation_below",
    penalty.outflowViolationBelowCost,
    (h, k) => minOutflow(h, k) > 0,
  );
  const outflowAbove = slack(
    "outflow_violation_above",
    penalty.outflowViolationAboveCost,
    (h, k) => maxOutflow(h, k) < Number.POSITIVE_INFINITY,
  );
  const turbinedBelow = slack(
    "turbined_violation",
    penalty.turbinedViolationBelowCost,
    (h, k) => minTurbined(h, k) > 0,
  );
  const generationBelow = slack(
    "generation_violation",
    penalty.generationViolationBelowCost,
    (h, k) => minGeneration(h, k) > 0,
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
      atLeast("min_outflow", minOutflow(h, k), "release", outflowBelow.column(h, k));
      const above = outflowAbove.column(h, k);
      if (above >= 0) {
        const terms: Term[] = [...program.expression("release", h, k), [above, -1]];
        program.row(`max_outflow_${id}_${block.id}`, -none, maxOutflow(h, k), terms);
      }
      atLeast("min_turbined", minTurbined(h, k), "turbined", turbinedBelow.column(h, k));
      const short = generationBelow.column(h, k);
      atLeast("min_generation", minGeneration(h, k), limitedGeneration, short);
    });
  });
  // A limit that no plant has leaves its column as it is: all 0.
  const recorded = (
    [
      ["outflow_slack_below_m3s", outflowBelow],
      ["outflow_slack_above_m3s", outflowAbove],
      ["turbined_slack_m3s", turbinedBelow],
      ["generation_slack_mw", generationBelow],
    ] as const
  ).filter(([, { isEmpty }]) => !isEmpty);
  return {
    record({ hydros, primal }) {
      for (const [column, slack] of recorded) {
        hydros.set(column, (h, k) => slack.value(primal, h, k));
      }
    },
  };
};
