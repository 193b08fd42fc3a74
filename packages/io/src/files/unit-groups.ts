import type { HydroInput } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";

/** What units may turbine and generate together. */
type Limits = Pick<
  HydroInput,
  "minTurbinedM3s" | "maxTurbinedM3s" | "minGenerationMw" | "maxGenerationMw"
>;

const FIELDS = {
  minTurbinedM3s: "min_turbined_m3s",
  maxTurbinedM3s: "max_turbined_m3s",
  minGenerationMw: "min_generation_mw",
  maxGenerationMw: "max_generation_mw",
} as const satisfies Record<keyof Limits, string>;

/**
 * `unit_groups` of a plant of Cobre 0.18: the bus that they feed, and the limits of the plant within those of its groups. The groups of one bus
 * are taken together.
 *
 * @param plant the limits in `generation`
 */
export function readUnitGroups(
  hydro: ObjectReader,
  plant: Limits,
): Pick<HydroInput, "busId"> & Limits {
  hydro.refuseEarlier({ bus_id: "give it in unit_groups" });
  const groups = hydro
    .list("unit_groups", "give at least one group, with the bus it feeds")
    .map((entry) => {
      const group = {
        id: entry.integer("id"),
        busId: entry.integer("bus_id"),
        minTurbinedM3s: entry.number("min_turbined_m3s"),
        maxTurbinedM3s: entry.number("max_turbined_m3s"),
        minGenerationMw: entry.number("min_generation_mw"),
        maxGenerationMw: entry.number("max_generation_mw"),
      };
      entry.text("name");
      entry.finish();
      return group;
    });
  const [first, ...others] = groups;
  if (first === undefined) return { busId: 0, ...plant }; // reported
  // A schema is made without a file: then there is nothing to compare.
  const isGiven = hydro.raw("unit_groups") !== undefined;
  if (isGiven && new Set(groups.map(({ id }) => id)).size < groups.length) {
    hydro.report("unit_groups", "has two groups with the same id", "ids must be unique in a plant");
  }
  if (others.some(({ busId }) => busId !== first.busId)) {
    hydro.cannot("unit_groups", "a plant that feeds several buses");
  }
  const limits: Record<string, number> = {};
  for (const [field, name] of Object.entries(FIELDS) as [keyof Limits, string][]) {
    const sum = groups.reduce((total, group) => total + group[field], 0);
    const own = plant[field];
    const isMinimum = field.startsWith("min");
    limits[field] = isMinimum ? Math.max(own, sum) : Math.min(own, sum);
    if (isMinimum ? sum >= own : sum <= own) continue;
    hydro.report(
      "unit_groups",
      `${name} of all groups is ${sum}, ${isMinimum ? "below" : "above"} the ${own} of the plant`,
      "change the groups, or generation of the plant",
    );
  }
  return { busId: first.busId, ...(limits as unknown as Limits) };
}
