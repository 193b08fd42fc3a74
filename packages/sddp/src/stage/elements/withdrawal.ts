import type { Element } from "./element.js";

/**
 * Water that is taken from reservoirs for other purposes, or returned to them if the withdrawal is negative. More or less may be taken at
 * a penalty. Lags of inflows are those before the withdrawal.
 */
export const withdrawal: Element = (builder) => {
  const { model, stage, program } = builder;
  const { system, hydros: at, hydroPenalties } = model.study;
  const taken = (h: number) => at.waterWithdrawalM3s.at(stage, h);
  if (system.hydros.every((_, h) => taken(h) === 0)) return {};
  const isOf05 = model.config.compat !== undefined;
  const slack = (direction: "Pos" | "Neg", upper: (h: number) => number) =>
    program.family(`withdrawal_${direction.toLowerCase()}`, {
      labels: system.hydros.map(({ id }) => id),
      blocks: builder.waterPeriods.map((_, period) => period),
      cost: builder.perPeriod((h) => {
        const field = `waterWithdrawalViolation${direction}Cost` as const;
        // Cobre 0.5 does not look at the penalties of single stages.
        return isOf05 ? system.hydros[h].penalties[field] : hydroPenalties[field].at(stage, h);
      }),
      kind: "withdrawal_violation",
      upper,
      isThere: (h) => taken(h) > 0,
    });
  // Less than nothing cannot be taken; Cobre 0.5 makes water there.
  const below = slack("Neg", (h) => (isOf05 ? Number.POSITIVE_INFINITY : taken(h)));
  const above = slack("Pos", () => Number.POSITIVE_INFINITY);
  // For generic constraints: what is taken, and how much more or less.
  program.express("hydro_withdrawal", (h, k) => {
    const period = builder.periodOf(k);
    if (below.column(h, period) < 0) return [];
    return [
      [above.column(h, period), 1],
      [below.column(h, period), -1],
    ];
  });
  program.expressConstant("hydro_withdrawal", taken);
  const water = program.balanceOf("water");
  builder.waterPeriods.forEach(({ volume }, period) => {
    system.hydros.forEach((_, h) => {
      water.addRight(h, period, -volume * taken(h));
      water.add(h, period, [
        [below.column(h, period), -volume],
        [above.column(h, period), volume],
      ]);
    });
  });
  return {
    record({ hydros, primal }) {
      const of = (family: typeof below) => (h: number, k: number) =>
        family.value(primal, h, builder.periodOf(k));
      hydros.set("water_withdrawal_violation_neg_m3s", of(below));
      hydros.set("water_withdrawal_violation_pos_m3s", of(above));
    },
  };
};
