import { COST_SCALE } from "../../model.js";
import type { Element } from "./element.js";

/**
 * Reservoirs that are being filled: what they must hold at the end of the stage, at a cost for each hm³ that is missing, and what they may
 * keep at most.
 */
export const fillingTarget: Element = (builder) => {
  const { model, stage, program } = builder;
  const { system, filling, hydroPenalties } = model.study;
  const due = filling[stage];
  if (due.every((ofPlant) => ofPlant === undefined)) return {};
  const missing = program.family("filling_target", {
    labels: system.hydros.map(({ id }) => id),
    cost: (h) => hydroPenalties.fillingTargetViolationCost.at(stage, h) / COST_SCALE,
    kind: "filling_target",
    isThere: (h) => (due[h]?.targetHm3 ?? 0) > 0,
  });
  const before = program.familyOf("storage_before");
  const after = program.familyOf("storage");
  due.forEach((ofPlant, h) => {
    if (ofPlant === undefined) return;
    const { id } = system.hydros[h];
    if (missing.column(h) >= 0) {
      program.row(`filling_target_${id}`, ofPlant.targetHm3, Number.POSITIVE_INFINITY, [
        [after.column(h), 1],
        [missing.column(h), 1],
      ]);
    }
    if (ofPlant.mostKeptHm3 === Number.POSITIVE_INFINITY) return;
    program.row(`filling_limit_${id}`, Number.NEGATIVE_INFINITY, ofPlant.mostKeptHm3, [
      [after.column(h), 1],
      [before.column(h), -1],
    ]);
  });
  return {
    record({ hydros, primal }) {
      hydros.set("filling_target_violation_hm3", (h) => missing.value(primal, h));
    },
  };
};
