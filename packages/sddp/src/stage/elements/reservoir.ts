import { COST_SCALE } from "../../model.js";
import { storageBinding } from "../../results/codes.js";
import type { Element } from "./element.js";
import { hasSoftMinimum } from "./storage-minimum.js";

/** Reservoirs: storage is part of the state, and the water balance of each plant links it to that of the next stage. */
export const reservoir: Element = (builder) => {
  const { model, stage, program } = builder;
  const { minStorageHm3, maxStorageHm3 } = model.study.hydros;
  const ids = model.study.system.hydros.map(({ id }) => id);
  const min = (h: number) => minStorageHm3.at(stage, h);
  const lower = (h: number) => (hasSoftMinimum(builder, h) ? 0 : min(h));
  const max = (h: number) => maxStorageHm3.at(stage, h);
  const storage = program.family("storage", { labels: ids, lower, upper: max });
  const before = program.state("storage", { labels: ids, outgoing: (h) => storage.column(h) });
  const water = program.balance("water", ids);
  ids.forEach((_, h) => {
    water.add(h, 0, [
      [storage.column(h), 1],
      [before.column(h), -1],
    ]);
  });
  program.express("mean_storage", (h) => [
    [storage.column(h), 0.5],
    [before.column(h), 0.5],
  ]);
  return {
    record({ hydros, primal, duals, incoming }) {
      hydros.set("storage_initial_hm3", (h) => incoming[before.state + h]);
      hydros.set("storage_final_hm3", (h) => storage.value(primal, h));
      hydros.set("storage_binding_code", (h) =>
        storageBinding(storage.value(primal, h), min(h), max(h)),
      );
      hydros.set("water_value_per_hm3", (h) => duals[water.family.row(h)] * COST_SCALE);
    },
  };
};
