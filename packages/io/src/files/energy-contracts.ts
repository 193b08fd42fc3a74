import type { EnergyContract } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { LATER_FIELDS } from "../later-fields.js";
import { readStart } from "./entities.js";

/** What `system/energy_contracts.json` says. */
export function energyContractsOf(root: ObjectReader): readonly EnergyContract[] {
  const contracts = (root.optionalList("contracts") ?? []).map((entry) => {
    const contract = entry.has("id") ? entry.of(`contract ${entry.raw("id")}`) : entry;
    const limits = contract.object("limits");
    const result: EnergyContract = {
      id: contract.integer("id"),
      name: contract.text("name"),
      busId: contract.integer("bus_id"),
      type: contract.choice("type", ["import", "export"]),
      pricePerMwh: contract.number("price_per_mwh"),
      minMw: limits.number("min_mw"),
      maxMw: limits.number("max_mw"),
      entryStageId: contract.optionalInteger("entry_stage_id"),
      exitStageId: contract.optionalInteger("exit_stage_id"),
      ...readStart(contract),
    };
    contract.refuseLater(LATER_FIELDS.energyContract);
    limits.finish();
    contract.finish();
    return result;
  });
  root.finish();
  return contracts;
}
