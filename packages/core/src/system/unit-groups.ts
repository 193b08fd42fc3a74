import { CASE_FILES } from "../case-files.js";
import { existsIn } from "../lifetime.js";
import { type OverrideRow, resolveOverrides } from "../overrides.js";
import type { StageTables } from "../stage-table.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import { checkBus, checkNotNegative, checkPair } from "./check-entities.js";
import type { Hydro, UnitGroup } from "./entities.js";
import type { Production } from "./production.js";

/** The limits of a group of units, and the columns that override them by stage. */
export const UNIT_GROUP_COLUMNS = {
  minTurbinedM3s: "min_turbined_m3s",
  maxTurbinedM3s: "max_turbined_m3s",
  minGenerationMw: "min_generation_mw",
  maxGenerationMw: "max_generation_mw",
} as const;

type Limit = keyof typeof UNIT_GROUP_COLUMNS;

/** Limits of a group of units in a stage or a block of it. */
export type UnitGroupRow = OverrideRow<Limit> & { readonly groupId: number };

/** The units of a plant that feed the same bus. */
export interface UnitCell {
  /** By their index. */
  readonly plant: number;
  readonly bus: number;
  /** Of the turbined flow that all units of the plant can take together. */
  readonly share: number;
  /** For each stage, for each block. */
  readonly limits: readonly (readonly Readonly<Record<Limit, number>>[])[];
}

/** Of each plant whose units feed several buses, its cells; none for other plants. */
export type UnitCells = readonly (readonly UnitCell[])[];

/** What the groups of a plant may be: they feed buses that exist, and together neither exceed the plant nor fall short of it. */
export function checkUnitGroups(
  { id, unitGroups = [], ...plant }: Hydro,
  buses: ReadonlySet<number>,
  issues: IssueCollector,
): void {
  unitGroups.forEach((group, i) => {
    const place = (field: string) => ({
      file: CASE_FILES.hydros,
      entity: `hydro ${id}`,
      field: `unit_groups[${i}].${field}`,
    });
    checkBus(group.busId, buses, place("bus_id"), issues);
    for (const [low, high] of PAIRS) {
      checkNotNegative(group[low], place(UNIT_GROUP_COLUMNS[low]), issues);
      checkPair(group[low], group[high], place(UNIT_GROUP_COLUMNS[high]), issues);
    }
  });
  if (unitGroups.length === 0) return;
  const place = { file: CASE_FILES.hydros, entity: `hydro ${id}`, field: "unit_groups" };
  if (new Set(unitGroups.map((group) => group.id)).size < unitGroups.length) {
    const problem = "has two groups with the same id";
    issues.error("references", place, problem, "ids must be unique in a plant");
  }
  for (const [low, high] of PAIRS) {
    const least = sumOf(unitGroups, low);
    const most = sumOf(unitGroups, high);
    if (most > plant[high] + ROUNDING * most) {
      const problem = `${UNIT_GROUP_COLUMNS[high]} of all groups is ${most}, above the ${plant[high]} of the plant`;
      issues.error("physics", place, problem, "change the groups, or generation of the plant");
    }
    if (least < plant[low] - ROUNDING * plant[low]) {
      const problem = `${UNIT_GROUP_COLUMNS[low]} of all groups is ${least}, below the ${plant[low]} of the plant`;
      issues.error("physics", place, problem, "change the groups, or generation of the plant");
    }
  }
}

const PAIRS = [
  ["minTurbinedM3s", "maxTurbinedM3s"],
  ["minGenerationMw", "maxGenerationMw"],
] as const;
/** Sums of limits are not exact. */
const ROUNDING = 1e-9;

function sumOf(groups: readonly UnitGroup[], limit: Limit): number {
  return groups.reduce((sum, group) => sum + group[limit], 0);
}

/**
 * The cells of plants whose units feed several buses. Where all feed one, the limits of the plant become those of its units. They must have been
 * cleared for stages in which plants do not operate.
 */
export function buildUnitCells(
  hydros: readonly Hydro[],
  busOf: (busId: number) => number,
  stages: readonly Stage[],
  rows: readonly UnitGroupRow[],
  tables: StageTables<Limit>,
  { productivity, planes }: Production,
  issues: IssueCollector,
): UnitCells {
  const groups = hydros.flatMap(({ id, unitGroups = [] }, plant) =>
    unitGroups.map((group) => ({ ...group, id: 0, groupId: group.id, hydroId: id, plant })),
  );
  // Groups are told apart by two ids; here they are numbered.
  const numbered = groups.map((group, index) => ({ ...group, id: index }));
  const own = resolveOverrides(
    {
      file: CASE_FILES.unitGroupBounds,
      kind: "unit group",
      idColumn: "hydro_unit_group_id",
      nameOf: (index) => `hydro ${groups[index]?.hydroId}, group ${groups[index]?.groupId}`,
      columns: UNIT_GROUP_COLUMNS,
      pairs: PAIRS,
      ofBlocks: Object.keys(UNIT_GROUP_COLUMNS) as Limit[],
    },
    numbered,
    stages,
    rows.flatMap((row) => {
      const index = groups.findIndex(
        ({ hydroId, groupId }) => hydroId === row.id && groupId === row.groupId,
      );
      if (index >= 0) return [{ ...row, id: index }];
      issues.error(
        "references",
        {
          file: CASE_FILES.unitGroupBounds,
          entity: `hydro ${row.id}, group ${row.groupId}, stage ${row.stageId}`,
          field: "hydro_unit_group_id",
        },
        "there is no such group",
        "remove the row or correct hydro_id and hydro_unit_group_id",
      );
      return [];
    }),
    issues,
  );
  return hydros.map((hydro, plant): readonly UnitCell[] => {
    const { unitGroups = [] } = hydro;
    if (unitGroups.length === 0) return [];
    const total = sumOf(unitGroups, "maxTurbinedM3s");
    const busIds = [...new Set(unitGroups.map(({ busId }) => busId))];
    const cells = busIds.map((busId): UnitCell => {
      const members = numbered.filter((group) => group.plant === plant && group.busId === busId);
      const limitsIn = (t: number, k: number) => {
        const sum = (value: (group: number) => number) =>
          members.reduce((all, { id }) => all + value(id), 0);
        const rho = productivity.at(t, plant);
        const isFunction = planes[t]?.[plant] !== undefined;
        // Each group has two limits of its flow: its own, and that of its generation.
        const mostTurbined = (group: number) => {
          const flow = own.maxTurbinedM3s.at(t, group, k);
          const ofGeneration = own.maxGenerationMw.at(t, group, k) / rho;
          // The limit of a single group's generation is that of the plant.
          const isOne = unitGroups.length === 1;
          return isOne || isFunction || !(rho > 0) ? flow : Math.min(flow, ofGeneration);
        };
        const operates = existsIn(hydro, stages[t] as Stage);
        const least = (limit: Limit) => (operates ? sum((group) => own[limit].at(t, group, k)) : 0);
        return {
          minTurbinedM3s: least("minTurbinedM3s"),
          minGenerationMw: least("minGenerationMw"),
          maxTurbinedM3s: Math.min(sum(mostTurbined), tables.maxTurbinedM3s.at(t, plant, k)),
          maxGenerationMw: Math.min(
            sum((group) => own.maxGenerationMw.at(t, group, k)),
            tables.maxGenerationMw.at(t, plant, k),
          ),
        };
      };
      return {
        plant,
        bus: busOf(busId),
        share: total > 0 ? sumOf(members, "maxTurbinedM3s") / total : 0,
        limits: stages.map(({ blocks }, t) => blocks.map((_, k) => limitsIn(t, k))),
      };
    });
    if (cells.length === 1) {
      const isLimited = rows.some((row) => row.id === hydro.id);
      useAsPlants(cells[0] as UnitCell, hydro, isLimited, stages, tables);
      return [];
    }
    // The least flows and generations are those of the cells.
    for (const limit of ["minTurbinedM3s", "minGenerationMw"] as const) {
      stages.forEach((_, t) => {
        tables[limit].setAll(t, plant, 0);
      });
    }
    return cells;
  });
}

/** The limits of units that feed one bus become the plant's, except where the plant has another limit in a stage or block. */
function useAsPlants(
  { plant, limits }: UnitCell,
  hydro: Hydro,
  isLimited: boolean,
  stages: readonly Stage[],
  tables: StageTables<Limit>,
): void {
  const limitOf = (limit: Limit, given: number, ofUnits: number): number => {
    const own = hydro[limit];
    if (limit.startsWith("min")) return given === own ? ofUnits : given;
    // Where the plant can do more than it usually can, so can its units, unless they have limits of their own.
    return given > own && !isLimited ? given : Math.min(given, ofUnits);
  };
  stages.forEach((_, t) => {
    for (const limit of Object.keys(UNIT_GROUP_COLUMNS) as Limit[]) {
      const values = (limits[t] ?? []).map((ofBlock, k) =>
        limitOf(limit, tables[limit].at(t, plant, k), ofBlock[limit]),
      );
      const first = values[0] ?? 0;
      tables[limit].setAll(t, plant, first);
      values.forEach((value, k) => {
        if (value !== first) tables[limit].setBlock(t, plant, k, value);
      });
    }
  });
}
