import { COST_SCALE } from "../../model.js";
import { stateOfFlow } from "../../results/codes.js";
import { scaled, type Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/** Hydro plants: water is turbined or spilled, and flows on to the plant downstream, at once unless it takes time. */
export const hydro: Element = (builder) => {
  const { model, stage, program, blockIds } = builder;
  const { system, time, hydros: at, hydroPenalties, production, travel } = model.study;
  const takesTime = (h: number) => travel.routes[stage][h] !== undefined;
  const ids = system.hydros.map(({ id }) => id);
  const planes = production.planes[stage];
  // Cobre 0.5 charges the turbined water of plants with a production function, Cobre 0.18 that of all.
  const isOfAll = model.config.dialect === "0.18";
  const limit = (h: number, k: number) => {
    const flow = at.maxTurbinedM3s.at(stage, h, k);
    const productivity = production.productivity.at(stage, h);
    const ofGeneration = at.maxGenerationMw.at(stage, h, k) / productivity;
    return productivity > 0 ? Math.min(flow, ofGeneration) : flow;
  };
  const turbined = program.family("turbined", {
    labels: ids,
    blocks: blockIds,
    upper: limit,
    ...((isOfAll || planes.some((ofPlant) => ofPlant !== undefined)) && {
      cost: builder.hourly((h) =>
        isOfAll || planes[h] !== undefined ? hydroPenalties.fphaTurbinedCost.at(stage, h) : 0,
      ),
      kind: "fpha_turbined",
    }),
  });
  const spillage = program.family("spillage", {
    labels: ids,
    blocks: blockIds,
    cost: builder.hourly((h) => hydroPenalties.spillageCost.at(stage, h)),
    kind: "spillage",
    lower: (h, k) => at.minSpillageM3s.at(stage, h, k),
    upper: (h, k) => at.maxSpillageM3s.at(stage, h, k),
  });
  const outflow = (h: number, k: number): Term[] => [
    [turbined.column(h, k), 1],
    [spillage.column(h, k), 1],
  ];
  program.express("outflow", outflow);
  program.express("release", outflow);
  program.express("hydro_inflow", (h, k) =>
    system.cascade.upstream[h].flatMap((up) => (takesTime(up) ? [] : outflow(up, k))),
  );

  const water = program.balanceOf("water");
  time.blockVolumes[stage].forEach((volume, k) => {
    ids.forEach((_, h) => {
      const period = builder.periodOf(k);
      water.add(h, period, scaled(outflow(h, k), volume));
      const downstream = system.cascade.downstream[h];
      if (downstream >= 0 && !takesTime(h))
        water.add(downstream, period, scaled(outflow(h, k), -volume));
    });
  });

  const inflow = program.familyOf("inflow");
  return {
    record({ hydros, primal, data }) {
      const released = (h: number, k: number) =>
        turbined.value(primal, h, k) + spillage.value(primal, h, k);
      const { cost, columnUpper } = data;
      const flows = hydros.column("turbined_m3s");
      const spilled = hydros.column("spillage_m3s");
      const outflows = hydros.column("outflow_m3s");
      const inflows = hydros.column("inflow_m3s");
      const costs = hydros.column("spillage_cost");
      const states = hydros.column("operative_state_code");
      hydros.each((row, h, k) => {
        const [through, past] = [turbined.column(h, k), spillage.column(h, k)];
        flows[row] = primal[through];
        spilled[row] = primal[past];
        outflows[row] = flows[row] + spilled[row];
        let arriving = inflow.value(primal, h);
        for (const up of system.cascade.upstream[h]) {
          if (!takesTime(up)) arriving += released(up, k);
        }
        inflows[row] = arriving;
        costs[row] = cost[past] * spilled[row] * COST_SCALE;
        states[row] = stateOfFlow(flows[row], columnUpper[through]);
      });
    },
  };
};
