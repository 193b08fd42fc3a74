import { scaled, type Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/** Diversions: channels through which water leaves a plant for another one than that downstream. */
export const diversion: Element = (builder) => {
  const { model, stage, program, blockIds } = builder;
  const { system, time, hydros: at, hydroPenalties } = model.study;
  const target = system.diversionOfHydro;
  if (target.every((plant) => plant < 0)) return {};
  const diverted = program.family("diverted", {
    labels: system.hydros.map(({ id }) => id),
    blocks: blockIds,
    cost: builder.hourly((h) => hydroPenalties.diversionCost.at(stage, h)),
    kind: "spillage",
    // Cobre 0.5 does not look at the limits of single stages.
    upper: (h, k) =>
      model.config.compat === undefined
        ? at.maxDiversionM3s.at(stage, h, k)
        : (system.hydros[h].diversion?.maxFlowM3s ?? 0),
    lower: (h, k) => at.minDiversionM3s.at(stage, h, k),
    isThere: (h) => target[h] >= 0,
  });
  const flow = (h: number, k: number): Term[] => [[diverted.column(h, k), 1]];
  // In Cobre 0.5 the limits of the outflow are about everything that leaves the plant, in Cobre 0.18 about what flows on downstream.
  if (model.config.dialect !== "0.18") program.express("release", flow);
  const water = program.balanceOf("water");
  time.blockVolumes[stage].forEach((volume, k) => {
    target.forEach((to, h) => {
      if (to < 0) return;
      const period = builder.periodOf(k);
      water.add(h, period, scaled(flow(h, k), volume));
      water.add(to, period, scaled(flow(h, k), -volume));
    });
  });
  const sources = system.hydros.map((_, h) =>
    system.hydros.flatMap((_other, from) => (target[from] === h ? [from] : [])),
  );
  program.express("hydro_inflow", (h, k) => sources[h].flatMap((from) => flow(from, k)));
  return {
    record({ hydros, primal }) {
      hydros.set("diverted_outflow_m3s", (h, k) =>
        target[h] < 0 ? Number.NaN : diverted.value(primal, h, k),
      );
      hydros.set("diverted_inflow_m3s", (h, k) => {
        if (sources[h].length === 0) return Number.NaN;
        let sum = 0;
        for (const from of sources[h]) sum += diverted.value(primal, from, k);
        return sum;
      });
    },
  };
};
