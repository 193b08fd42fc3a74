import { COST_SCALE } from "../../model.js";
import type { Element } from "./element.js";

/** Load: the power balance of every bus and block, and what has to be delivered there. */
export const load: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { study, noiseOfBus } = model;
  const ids = study.system.buses.map(({ id }) => id);
  const factors = study.loadFactors[stage];
  const K = blocks.length;
  const power = program.balance("power", ids, blockIds);
  const loads = Float64Array.from(
    factors,
    (factor, i) => model.load.load(stage, Math.floor(i / K), 0) * factor,
  );
  ids.forEach((_, bus) => {
    blocks.forEach((_block, k) => {
      power.addRight(bus, k, loads[bus * K + k]);
    });
  });
  const isUncertain = noiseOfBus.some((at) => at >= 0);
  return {
    open({ program: opened, noise, offset }) {
      if (!isUncertain) return;
      noiseOfBus.forEach((at, bus) => {
        if (at < 0) return;
        const value = model.load.load(stage, bus, noise[offset + at]);
        for (let i = bus * K; i < (bus + 1) * K; i++) loads[i] = value * factors[i];
      });
      opened.setRowBounds(power.family.first, loads, loads);
    },
    record({ buses, duals }) {
      const mw = buses.column("load_mw");
      const mwh = buses.column("load_mwh");
      const prices = buses.column("spot_price");
      buses.each((row, bus, k) => {
        mw[row] = loads[bus * K + k];
        mwh[row] = mw[row] * blocks[k].hours;
        prices[row] = (duals[power.family.row(bus, k)] * COST_SCALE) / blocks[k].hours;
      });
    },
  };
};
