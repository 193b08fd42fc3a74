import { existsIn, lifetimeOfReservoir } from "@cobre/core";
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
  // In a chronological stage, storages between the blocks link their balances. They
  // come before the known columns, whose bounds are then set by one call.
  const { waterPeriods } = builder;
  const last = waterPeriods.length - 1;
  const periods = waterPeriods.map((_, period) => period);
  const between = program.family("storage_between", {
    labels: ids,
    blocks: periods.slice(0, last),
    lower,
    upper: max,
  });
  const before = program.state("storage", { labels: ids, outgoing: (h) => storage.column(h) });
  const end = (h: number, period: number) =>
    period === last ? storage.column(h) : between.column(h, period);
  const start = (h: number, period: number) =>
    period === 0 ? before.column(h) : between.column(h, period - 1);
  const water = program.balance("water", ids, last === 0 ? undefined : periods);
  ids.forEach((_, h) => {
    for (const period of periods) {
      water.add(h, period, [
        [end(h, period), 1],
        [start(h, period), -1],
      ]);
    }
  });
  ids.forEach((id, h) => {
    const life = lifetimeOfReservoir(model.study.system.hydros[h]);
    if (existsIn(life, model.study.time.stages[stage])) return;
    // A reservoir that does not exist keeps what it has: all water flows on.
    for (const period of periods) {
      program.row(`kept_storage_${id}_${period}`, 0, 0, [
        [end(h, period), 1],
        [start(h, period), -1],
      ]);
    }
  });
  program.express("period_start", (h, block) => [[start(h, builder.periodOf(block)), 1]]);
  program.express("period_end", (h, block) => [[end(h, builder.periodOf(block)), 1]]);
  program.express("mean_storage", (h, block) => [
    [end(h, builder.periodOf(block)), 0.5],
    [start(h, builder.periodOf(block)), 0.5],
  ]);
  return {
    record({ hydros, primal, duals, incoming }) {
      hydros.set("storage_initial_hm3", (h) => incoming[before.state + h]);
      hydros.set("storage_final_hm3", (h) => storage.value(primal, h));
      hydros.set("storage_binding_code", (h) =>
        storageBinding(storage.value(primal, h), min(h), max(h)),
      );
      hydros.set(
        "water_value_per_hm3",
        (h, k) => duals[water.family.row(h, builder.periodOf(k))] * COST_SCALE,
      );
    },
  };
};
