import type { Filling, InitialConditionsInput } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";

/** What `filling` of a hydro plant says. */
export function fillingOf(hydro: ObjectReader): Filling | undefined {
  const filling = hydro.optionalObject("filling");
  if (filling === undefined) return undefined;
  const result = {
    startStageId: filling.integer("start_stage_id"),
    minRateM3s: filling.optionalNumber("filling_min_rate_m3s", { min: 0 }) ?? 0,
    inflowM3s: filling.isLater
      ? undefined
      : filling.optionalNumber("filling_inflow_m3s", { min: 0 }),
  };
  if (result.minRateM3s > 0 && result.inflowM3s !== undefined) {
    const problem = "stands beside filling_min_rate_m3s";
    filling.report("filling_inflow_m3s", problem, "give the most or the least that is kept");
  }
  filling.refuseEarlier({
    filling_inflow_m3s: "give filling_min_rate_m3s, the least that is kept",
  });
  filling.finish();
  return result;
}

/** What `filling_storage` of the initial conditions says. */
export function fillingStorageOf(
  root: ObjectReader,
): NonNullable<InitialConditionsInput["fillingStorage"]> {
  return (root.optionalList("filling_storage") ?? []).map((entry) => {
    const fields = { hydroId: entry.integer("hydro_id"), valueHm3: entry.number("value_hm3") };
    entry.finish();
    return fields;
  });
}
