import { COST_SCALE } from "../../model.js";
import { stateOfFlow } from "../../results/codes.js";
import { scaled, type Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/** Hydro plants: water is turbined or spilled, and flows on to the plant downstream. */
export const hydro: Element = (builder) => {
  const { model, stage, program, blockIds } = builder;
  const { system, time, hydros: at, hydroPenalties, production } = model.study;
  const ids = system.hydros.map(({ id }) => id);
  const planes = production.planes[stage];
  const limit = (h: number) => {
    const flow = at.maxTurbinedM3s.at(stage, h);
    const productivity = production.productivity.at(stage, h);
    return productivity > 0 ? Math.min(flow, at.maxGenerationMw.at(stage, h) / productivity) : flow;
  };
  const turbined = program.family("turbined", {
    labels: ids,
    blocks: blockIds,
    upper: limit,
    ...(planes.some((ofPlant) => ofPlant !== undefined) && {
      cost: builder.hourly((h) =>
        planes[h] === undefined ? 0 : hydroPenalties.fphaTurbinedCost.at(stage, h),
      ),
      kind: "fpha_turbined",
    }),
  });
  const spillage = program.family("spillage", {
    labels: ids,
    blocks: blockIds,
    cost: builder.hourly((h) => hydroPenalties.spillageCost.at(stage, h)),
    kind: "spillage",
    lower: (h) => at.minSpillageM3s.at(stage, h),
    upper: (h) => at.maxSpillageM3s.at(stage, h),
  });
  const outflow = (h: number, k: number): Term[] => [
    [turbined.column(h, k), 1],
    [spillage.column(h, k), 1],
  ];
  program.express("outflow", outflow);
  program.express("release", outflow);

  const water = program.balanceOf("water");
  time.blockVolumes[stage].forEach((volume, k) => {
    ids.forEach((_, h) => {
      const period = builder.periodOf(k);
      water.add(h, period, scaled(outflow(h, k), volume));
      const downstream = system.cascade.downstream[h];
      if (downstream >= 0) water.add(downstream, period, scaled(outflow(h, k), -volume));
    });
  });

  const inflow = program.familyOf("inflow");
  return {
    record({ hydros, primal, data }) {
      const released = (h: number, k: number) =>
        turbined.value(primal, h, k) + spillage.value(primal, h, k);
      const { cost, columnUpper } = data;
      hydros.set("turbined_m3s", (h, k) => turbined.value(primal, h, k));
      hydros.set("spillage_m3s", (h, k) => spillage.value(primal, h, k));
      hydros.set("outflow_m3s", released);
      hydros.set("inflow_m3s", (h, k) => {
        let arriving = inflow.value(primal, h);
        for (const up of system.cascade.upstream[h]) arriving += released(up, k);
        return arriving;
      });
      hydros.set(
        "spillage_cost",
        (h, k) => cost[spillage.column(h, k)] * spillage.value(primal, h, k) * COST_SCALE,
      );
      hydros.set("operative_state_code", (h, k) =>
        stateOfFlow(turbined.value(primal, h, k), columnUpper[turbined.column(h, k)]),
      );
    },
  };
};
