import type { PumpingStation } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { LATER_FIELDS } from "../later-fields.js";
import { readStart } from "./entities.js";

/** What `system/pumping_stations.json` says. */
export function pumpingStationsOf(root: ObjectReader): readonly PumpingStation[] {
  const stations = (root.optionalList("pumping_stations") ?? []).map((entry) => {
    const station = entry.has("id") ? entry.of(`pumping station ${entry.raw("id")}`) : entry;
    const flow = station.object("flow");
    const result: PumpingStation = {
      id: station.integer("id"),
      name: station.text("name"),
      busId: station.integer("bus_id"),
      sourceHydroId: station.integer("source_hydro_id"),
      destinationHydroId: station.integer("destination_hydro_id"),
      consumptionMwPerM3s: station.number("consumption_mw_per_m3s"),
      minFlowM3s: flow.number("min_m3s"),
      maxFlowM3s: flow.number("max_m3s"),
      entryStageId: station.optionalInteger("entry_stage_id"),
      exitStageId: station.optionalInteger("exit_stage_id"),
      ...readStart(station),
    };
    station.refuseLater(LATER_FIELDS.pumpingStation);
    flow.finish();
    station.finish();
    return result;
  });
  root.finish();
  return stations;
}
