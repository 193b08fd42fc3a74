import { COST_SCALE } from "../../model.js";
import type { Element } from "./element.js";

/**
 * The least storage of plants that may fall below it, at a cost for each hm³ that is missing at the end of a stage. For the other plants
 * it is a bound of the column.
 */
export const storageMinimum: Element = (builder) => {
  const { model, stage, program } = builder;
  const { system, hydros: at, hydroPenalties } = model.study;
  const isThere = (h: number) => hasSoftMinimum(builder, h) && at.minStorageHm3.at(stage, h) > 0;
  if (!system.hydros.some((_, h) => isThere(h))) return {};
  const missing = program.family("storage_violation", {
    labels: system.hydros.map(({ id }) => id),
    cost: (h) => hydroPenalties.storageViolationBelowCost.at(stage, h) / COST_SCALE,
    kind: "storage_violation",
    isThere,
  });
  const storage = program.familyOf("storage");
  system.hydros.forEach(({ id }, h) => {
    if (missing.column(h) < 0) return;
    const least = at.minStorageHm3.at(stage, h);
    program.row(`min_storage_${id}`, least, Number.POSITIVE_INFINITY, [
      [storage.column(h), 1],
      [missing.column(h), 1],
    ]);
  });
  return {
    record({ hydros, primal }) {
      hydros.set("storage_violation_below_hm3", (h) => missing.value(primal, h));
    },
  };
};

/** Whether a plant may fall below its least storage. In Cobre 0.5 none may. */
export function hasSoftMinimum({ model }: Parameters<Element>[0], h: number): boolean {
  return model.config.compat === undefined && model.study.hasSoftMinimum[h];
}
