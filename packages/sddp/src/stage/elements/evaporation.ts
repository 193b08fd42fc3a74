import type { Element } from "./element.js";

/**
 * Evaporation from reservoirs. What is due is linear in the mean storage; more or less may evaporate at a penalty, because a plant may not
 * have the water.
 */
export const evaporation: Element = (builder) => {
  const { model, stage, program } = builder;
  const { system, hydros: at, hydroPenalties, evaporation: all } = model.study;
  const due = all[stage];
  if (due.every((ofPlant) => ofPlant === undefined)) return {};
  const ids = system.hydros.map(({ id }) => id);
  const isThere = (h: number) => due[h] !== undefined;
  const periods = builder.waterPeriods.map((_, period) => period);
  /** Twice what is due of a full reservoir: only a margin. */
  const margin = (h: number) => {
    const { constant = 0, slope = 0 } = due[h] ?? {};
    return 2 * (constant + slope * at.maxStorageHm3.at(stage, h));
  };
  const isOf05 = model.config.compat !== undefined;
  const evaporated = program.family("evaporated", {
    labels: ids,
    blocks: periods,
    // Where water condenses, Cobre 0.5 pays the penalty in place of it.
    lower: (h) => (isOf05 ? 0 : Math.min(0, margin(h))),
    upper: (h) => Math.max(0, margin(h)),
    isThere,
  });
  const slack = (direction: "Pos" | "Neg") =>
    program.family(`evaporation_${direction.toLowerCase()}`, {
      labels: ids,
      blocks: periods,
      cost: builder.perPeriod((h) => {
        const field = `evaporationViolation${direction}Cost` as const;
        // Cobre 0.5 does not look at the penalties of single stages.
        return isOf05 ? system.hydros[h].penalties[field] : hydroPenalties[field].at(stage, h);
      }),
      kind: "evaporation_violation",
      isThere,
    });
  const below = slack("Neg");
  const above = slack("Pos");
  const water = program.balanceOf("water");
  builder.waterPeriods.forEach(({ volume }, period) => {
    due.forEach((ofPlant, h) => {
      if (ofPlant === undefined) return;
      const { constant, slope } = ofPlant;
      const storage = program.expression("mean_storage", h, period);
      program.row(`evaporation_${ids[h]}_${period}`, constant, constant, [
        [evaporated.column(h, period), 1],
        ...storage.map(([column, share]) => [column, -slope * share] as const),
        [below.column(h, period), 1],
        [above.column(h, period), -1],
      ]);
      water.add(h, period, [[evaporated.column(h, period), volume]]);
    });
  });
  return {
    record({ hydros, primal }) {
      const of = (family: typeof below) => (h: number, k: number) =>
        family.value(primal, h, builder.periodOf(k));
      const value = of(evaporated);
      hydros.set("evaporation_m3s", (h, k) => (isThere(h) ? value(h, k) : Number.NaN));
      hydros.set("evaporation_violation_neg_m3s", of(below));
      hydros.set("evaporation_violation_pos_m3s", of(above));
    },
  };
};
