import {
  type HydroInput,
  type IssueCollector,
  UNIT_GROUP_COLUMNS,
  type UnitGroupRow,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import type { CaseDirectory } from "../memory/memory-case.js";
import { BLOCK, TABLE_FORMATS } from "./table-formats.js";
import { read } from "./tables.js";

/** The bus of a plant, or, in the words of Cobre 0.18, its groups of units with a bus each. */
export function busesOf(hydro: ObjectReader): Pick<HydroInput, "busId" | "unitGroups"> {
  if (hydro.isLater) hydro.refuseEarlier({ bus_id: "give it in unit_groups" });
  else if (!hydro.has("unit_groups")) return { busId: hydro.integer("bus_id") };
  else if (hydro.has("bus_id")) {
    hydro.report("bus_id", "stands beside unit_groups", "give one of them");
  }
  const groups = hydro.list("unit_groups", "give at least one group, with the bus it feeds");
  const unitGroups = groups.map((group) => {
    const result = {
      id: group.integer("id"),
      name: group.text("name"),
      busId: group.integer("bus_id"),
      minTurbinedM3s: group.number("min_turbined_m3s"),
      maxTurbinedM3s: group.number("max_turbined_m3s"),
      minGenerationMw: group.number("min_generation_mw"),
      maxGenerationMw: group.number("max_generation_mw"),
    };
    group.finish();
    return result;
  });
  return { busId: unitGroups[0]?.busId ?? 0, unitGroups };
}

/** Reads `constraints/hydro_unit_group_bounds.parquet`, if it exists. */
export async function readUnitGroupBounds(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly UnitGroupRow[]> {
  const table = await read(directory, TABLE_FORMATS.unitGroupBounds, issues);
  if (table === undefined) return [];
  const { columns } = table;
  const given = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? undefined : value;
  return Array.from({ length: table.rows }, (_, row) => {
    const values = Object.entries(UNIT_GROUP_COLUMNS).flatMap(([field, column]) => {
      const value = given(columns[column][row]);
      return value === undefined ? [] : [[field, value] as const];
    });
    return {
      id: columns.hydro_id[row] as number,
      groupId: columns.hydro_unit_group_id[row] as number,
      stageId: columns.stage_id[row] as number,
      blockId: given(columns[BLOCK][row]),
      values: Object.fromEntries(values),
    };
  });
}
