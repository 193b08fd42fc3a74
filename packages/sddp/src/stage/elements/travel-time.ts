import type { Route } from "@cobre/core";
import { scaled, type Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/**
 * Water that takes time to the plant downstream. What arrives in later stages is part of the state, by the plant to which it flows and by how
 * many stages it is away: the nearest arrives now, the others come one stage nearer, and what is released now joins them.
 */
export const travelTime: Element = (builder) => {
  const { model, stage, program, waterPeriods } = builder;
  const { system, time, travel } = model.study;
  const { states } = travel;
  if (states.length === 0) return {};
  const labels = states.map(({ plant, ahead }) => `${system.hydros[plant].id}_ahead${ahead}`);
  const after = program.family("in_transit", {
    labels,
    // A lack of water that flows through the place of a plant that does not exist travels as well.
    lower: () => Number.NEGATIVE_INFINITY,
  });
  const before = program.state("in_transit", { labels, outgoing: (i) => after.column(i) });
  const indexOf = (plant: number, ahead: number) =>
    states.findIndex((state) => state.plant === plant && state.ahead === ahead);
  const volumes = time.blockVolumes[stage];
  const water = program.balanceOf("water");

  /** For each block, what the plants upstream of a plant release, times a share of its route. */
  const released = (plant: number, shareOf: (route: Route, block: number) => number): Term[] =>
    system.cascade.upstream[plant].flatMap((up) =>
      (travel.routes[stage][up] ?? []).flatMap((route, k) =>
        scaled(program.expression("outflow", up, k), volumes[k] * shareOf(route, k)),
      ),
    );
  /** What arrives at a plant in a period of its water balance, in hm³. */
  const arriving = (plant: number, period: number): Term[] => {
    const share = travel.arrivals[stage][plant][period];
    const matured: Term = [before.column(indexOf(plant, 1)), share];
    return [matured, ...released(plant, ({ within }) => within[period])];
  };
  const plants = system.hydros.flatMap((_, plant) => (travel.depth[plant] > 0 ? [plant] : []));
  const periods = waterPeriods.map((_, period) => period);
  const arrivals = plants.map((plant) => periods.map((period) => arriving(plant, period)));
  plants.forEach((plant, i) => {
    for (const period of periods) water.add(plant, period, scaled(arrivals[i][period], -1));
  });
  /** What arrives at a plant, in m³/s of a period of its water balance. */
  program.express("hydro_inflow", (plant, k) => {
    const i = plants.indexOf(plant);
    const period = builder.periodOf(k);
    return i < 0 ? [] : scaled(arrivals[i][period], 1 / waterPeriods[period].volume);
  });
  states.forEach(({ plant, ahead }, i) => {
    const next = indexOf(plant, ahead + 1);
    const nearer: Term[] = next < 0 ? [] : [[before.column(next), -1]];
    const joining = scaled(
      released(plant, ({ later }) => later[ahead - 1] ?? 0),
      -1,
    );
    program.row(`in_transit_${labels[i]}`, 0, 0, [[after.column(i), 1], ...nearer, ...joining]);
  });
  return {
    record({ hydros, inTransit, primal }) {
      const flow = (plant: number, k: number) => {
        const i = plants.indexOf(plant);
        if (i < 0) return 0;
        const period = builder.periodOf(k);
        let volume = 0;
        for (const [column, share] of arrivals[i][period]) volume += share * primal[column];
        return volume / waterPeriods[period].volume;
      };
      const inflows = hydros.column("inflow_m3s");
      hydros.each((row, plant, k) => {
        inflows[row] += flow(plant, k);
      });
      inTransit.set("volume_hm3", (i) => after.value(primal, i));
    },
  };
};
