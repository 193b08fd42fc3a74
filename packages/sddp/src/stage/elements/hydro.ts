import { COST_SCALE } from "../../model.js";
import { stateOfFlow } from "../../results/codes.js";
import { scaled, type Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/** Hydro plants: water is turbined or spilled, and flows on to the plant downstream. Turbined water generates. */
export const hydro: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { system, time, hydros: at, hydroPenalties } = model.study;
  const ids = system.hydros.map(({ id }) => id);
  const productivity = (h: number) => system.hydros[h].productivityMwPerM3s;
  const limit = (h: number, k: number) => {
    const flow = at.maxTurbinedM3s.at(stage, h, k);
    const ofGeneration = at.maxGenerationMw.at(stage, h, k) / productivity(h);
    return productivity(h) > 0 ? Math.min(flow, ofGeneration) : flow;
  };
  const turbined = program.family("turbined", { labels: ids, blocks: blockIds, upper: limit });
  const spillage = program.family("spillage", {
    labels: ids,
    blocks: blockIds,
    cost: builder.hourly((h) => hydroPenalties.spillageCost.at(stage, h)),
    kind: "spillage",
  });
  const outflow = (h: number, k: number): Term[] => [
    [turbined.column(h, k), 1],
    [spillage.column(h, k), 1],
  ];
  program.express("outflow", outflow);
  program.express("release", outflow);
  program.express("hydro_generation", (h, k) => [[turbined.column(h, k), productivity(h)]]);

  const water = program.balanceOf("water");
  time.blockVolumes[stage].forEach((volume, k) => {
    ids.forEach((_, h) => {
      water.add(h, 0, scaled(outflow(h, k), volume));
      const downstream = system.cascade.downstream[h];
      if (downstream >= 0) water.add(downstream, 0, scaled(outflow(h, k), -volume));
    });
  });
  const power = program.balanceOf("power");
  blocks.forEach((_, k) => {
    system.busOfHydro.forEach((bus, h) => {
      power.add(bus, k, program.expression("hydro_generation", h, k));
    });
  });

  const inflow = program.familyOf("inflow");
  return {
    record({ hydros, primal, data }) {
      const released = (h: number, k: number) =>
        turbined.value(primal, h, k) + spillage.value(primal, h, k);
      const generation = (h: number, k: number) => productivity(h) * turbined.value(primal, h, k);
      const { cost, columnUpper } = data;
      hydros.set("turbined_m3s", (h, k) => turbined.value(primal, h, k));
      hydros.set("spillage_m3s", (h, k) => spillage.value(primal, h, k));
      hydros.set("outflow_m3s", released);
      hydros.set("inflow_m3s", (h, k) => {
        let arriving = inflow.value(primal, h);
        for (const up of system.cascade.upstream[h]) arriving += released(up, k);
        return arriving;
      });
      hydros.set("generation_mw", generation);
      hydros.set("generation_mwh", (h, k) => generation(h, k) * blocks[k].hours);
      hydros.set("productivity_mw_per_m3s", productivity);
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
