/** Units of plants that feed several buses, from the description of a small system. */
import type { SmallBounds, SmallGroupLimits, SmallHydro } from "./system.js";

/** What the units can do that feed a bus, and their share in what all can turbine. */
export interface Cell extends SmallGroupLimits {
  readonly bus: number;
  readonly share: number;
}

export function isSplitPlant({ groups }: SmallHydro): boolean {
  return new Set((groups ?? []).map(({ bus }) => bus)).size > 1;
}

/** The units by bus, with the sums of their limits in a block. Without planes a unit turbines no more than it can generate. */
function unitsByBus(
  { groups }: SmallHydro,
  stage: number,
  block: number,
  productivity: number | null,
): readonly Cell[] {
  const all = groups ?? [];
  const total = all.reduce((sum, { maxTurbined }) => sum + maxTurbined, 0);
  return [...new Set(all.map(({ bus }) => bus))].map((bus) => {
    const members = all.filter((group) => group.bus === bus);
    const limits = members.map((group) => {
      const ofStage = group.own.find((one) => one.stage === stage && one.block === null);
      const ofBlock = group.own.find((one) => one.stage === stage && one.block === block);
      return { ...group, ...ofStage?.limits, ...ofBlock?.limits };
    });
    const sum = (of: (one: SmallGroupLimits) => number) =>
      limits.reduce((value, one) => value + of(one), 0);
    return {
      bus,
      share: members.reduce((value, { maxTurbined }) => value + maxTurbined, 0) / total,
      minTurbined: sum((one) => one.minTurbined),
      maxTurbined: sum((one) =>
        productivity === null
          ? one.maxTurbined
          : Math.min(one.maxTurbined, one.maxGeneration / productivity),
      ),
      minGeneration: sum((one) => one.minGeneration),
      maxGeneration: sum((one) => one.maxGeneration),
    };
  });
}

/** The units of a plant that feeds several buses, by bus; null if it feeds one. */
export function cellsOf(
  hydro: SmallHydro,
  stage: number,
  block: number,
  productivity: number | null,
): readonly Cell[] | null {
  return isSplitPlant(hydro) ? unitsByBus(hydro, stage, block, productivity) : null;
}

/** The limits of a plant with groups that feed one bus are theirs. */
export function withGroupLimits<L extends SmallBounds>(
  hydro: SmallHydro,
  stage: number,
  block: number,
  productivity: number | null,
  limits: L,
): L {
  if (hydro.groups === null || isSplitPlant(hydro)) return limits;
  const [units] = unitsByBus(hydro, stage, block, productivity);
  const { bounds, groups } = hydro;
  const isLimited = groups.some(({ own }) => own.length > 0);
  const least = (limit: "minTurbined" | "minGeneration") =>
    limits[limit] === bounds[limit] ? units[limit] : limits[limit];
  const most = (limit: "maxTurbined" | "maxGeneration") =>
    limits[limit] > bounds[limit] && !isLimited
      ? limits[limit]
      : Math.min(units[limit], limits[limit]);
  return {
    ...limits,
    minTurbined: least("minTurbined"),
    minGeneration: least("minGeneration"),
    maxTurbined: most("maxTurbined"),
    maxGeneration: most("maxGeneration"),
  };
}
