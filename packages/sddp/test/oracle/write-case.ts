/** A small system as a case directory, which `loadCase` reads and `cobre run` runs. */
import { boundaryPolicy } from "./boundary-policy.js";
import { CaseFiles } from "./case-files.js";
import { decidingStage, deliveriesOf } from "./commitments.js";
import type {
  SmallFilling,
  SmallGroupLimits,
  SmallLife,
  SmallPenalties,
  SmallSegment,
  SmallSystem,
  SmallWaterPenalties,
} from "./system.js";
import { blockRows, writeEquipment } from "./write-equipment.js";
import { isFunction, writeProduction } from "./write-production.js";
import { writeUncertainty } from "./write-uncertainty.js";

export interface WriteOptions {
  /** Parquet, or CSV, which people can read. Default: CSV. */
  readonly tables?: "csv" | "parquet";
  /** Default: 100. */
  readonly iterations?: number;
  /** Default: 2. */
  readonly forwardPasses?: number;
  /** `training.cut_selection` as it stands in the file. Default: none. */
  readonly cutSelection?: object | undefined;
}

const FIRST_DAY = Date.UTC(2025, 0, 1);
const MILLISECONDS_A_DAY = 86_400_000;
const BOUNDARY_FILE = "boundary.bin";

const BOUND_COLUMNS = {
  minStorage: "min_storage_hm3",
  maxStorage: "max_storage_hm3",
  minOutflow: "min_outflow_m3s",
  maxOutflow: "max_outflow_m3s",
  minTurbined: "min_turbined_m3s",
  maxTurbined: "max_turbined_m3s",
  minGeneration: "min_generation_mw",
  maxGeneration: "max_generation_mw",
} as const;

const PENALTY_COLUMNS: Readonly<Record<keyof SmallPenalties, string>> = {
  spillage: "spillage_cost",
  turbinedBelow: "turbined_violation_below_cost",
  outflowBelow: "outflow_violation_below_cost",
  outflowAbove: "outflow_violation_above_cost",
  generationBelow: "generation_violation_below_cost",
  negativeInflow: "inflow_nonnegativity_cost",
};

const WATER_PENALTY_COLUMNS: Readonly<Record<keyof SmallWaterPenalties, string>> = {
  storageBelow: "storage_violation_below_cost",
  fillingTarget: "filling_target_violation_cost",
  evaporationPos: "evaporation_violation_pos_cost",
  evaporationNeg: "evaporation_violation_neg_cost",
  withdrawalPos: "water_withdrawal_violation_pos_cost",
  withdrawalNeg: "water_withdrawal_violation_neg_cost",
};

/** Costs of what the solver does not model yet. Large, so that it is seen if one of them is used. */
const UNUSED_PENALTIES = {
  evaporation_violation_cost: 81_000,
  water_withdrawal_violation_cost: 82_000,
};

/** Writes the case into `directory`, which is made if it does not exist. */
export function writeCase(
  system: SmallSystem,
  directory: string,
  options: WriteOptions = {},
): void {
  const files = new CaseFiles(directory, options.tables ?? "csv");
  files.json("config.json", configOf(system, options));
  files.json("penalties.json", penaltiesOf(system));
  files.json("stages.json", stagesOf(system));
  const storages = (isFilled: boolean) =>
    system.hydros
      .filter(({ filling }) => (filling !== null) === isFilled)
      .map(({ id, storage }) => ({ hydro_id: id, value_hm3: storage }));
  files.json("initial_conditions.json", {
    storage: storages(false),
    filling_storage: storages(true),
    past_defluences: system.hydros.flatMap(({ id, travel }) =>
      (travel?.past ?? []).map(({ since, until, value }) => ({
        hydro_id: id,
        start_date: dateBefore(since),
        end_date: dateBefore(until),
        value_m3s: value,
      })),
    ),
    past_anticipated_commitments: system.thermals.flatMap((thermal) =>
      Array.from({ length: deliveriesOf(system) }, (_, m) => m)
        .filter((m) => decidingStage(system, thermal, m) < 0)
        .map((m) => ({
          thermal_id: thermal.id,
          start_date: dateBefore(-daysBefore(system, m)),
          end_date: dateBefore(-daysBefore(system, m + 1)),
          value_mw: thermal.lead?.past[m] ?? 0,
        })),
    ),
    past_inflows: system.hydros
      .filter(({ past }) => past.length > 0)
      .map(({ id, past }) => ({ hydro_id: id, values_m3s: past })),
  });
  if (system.postStudy.length > 0) files.json("post_study_stages.json", postStudyOf(system));
  writeEntities(system, files);
  writeOverrides(system, files);
  writeProduction(system, files);
  writeGeometry(system, files);
  writeUncertainty(system, files);
  writeEquipment(system, files);
  const boundary = boundaryPolicy(system);
  if (boundary !== undefined) files.bytes(BOUNDARY_FILE, boundary);
}

function configOf(
  system: SmallSystem,
  { iterations = 100, forwardPasses = 2, cutSelection }: WriteOptions,
) {
  return {
    ...(system.compat ? { compat: "cobre-0.5" } : {}),
    training: {
      forward_passes: forwardPasses,
      stopping_rules: [{ type: "iteration_limit", limit: iterations }],
      tree_seed: system.treeSeed ?? 42,
      ...(cutSelection && { cut_selection: cutSelection }),
    },
    modeling: { inflow_non_negativity: { method: system.method } },
    simulation: { enabled: true, num_scenarios: 50 },
    ...(system.boundary === null
      ? {}
      : { policy: { boundary: { path: BOUNDARY_FILE, source_stage: 0 } } }),
  };
}

function penaltiesOf(system: SmallSystem) {
  const { segments, excessCost, exchangeCost, diversionCost, turbinedCost, penalties } = system;
  return {
    bus: { deficit_segments: segmentsOf(segments), excess_cost: excessCost },
    line: { exchange_cost: exchangeCost },
    hydro: {
      ...UNUSED_PENALTIES,
      diversion_cost: diversionCost,
      fpha_turbined_cost: turbinedCost,
      ...renamed(penalties, PENALTY_COLUMNS),
      ...renamed(system.waterPenalties, WATER_PENALTY_COLUMNS),
    },
    non_controllable_source: { curtailment_cost: system.equipment.curtailmentCost },
  };
}

function postStudyOf(system: SmallSystem) {
  const { stages, postStudy, thermals } = system;
  return {
    stages: postStudy.map(({ hours }, i) => ({
      start_date: dateBefore(-daysBefore(system, stages.length + i)),
      duration_hours: hours,
    })),
    thermal_bounds: thermals.flatMap(({ id, behind }) =>
      behind.map(({ min, max, cost }, i) => ({
        thermal_id: id,
        post_study_stage_index: i,
        cost_per_mwh: cost,
        min_mw: min,
        max_mw: max,
      })),
    ),
  };
}

function segmentsOf(segments: readonly SmallSegment[]) {
  return segments.map(({ depth, cost }) => ({ depth_mw: depth, cost }));
}

function renamed<F extends string>(
  values: Partial<Readonly<Record<F, number | null>>>,
  columns: Readonly<Record<F, string>>,
): Record<string, number | null> {
  const entries = Object.entries(values) as [F, number | null][];
  return Object.fromEntries(entries.map(([field, value]) => [columns[field], value]));
}

/** So many days before the study. */
function dateBefore(days: number): string {
  return new Date(FIRST_DAY - days * MILLISECONDS_A_DAY).toISOString().slice(0, 10);
}

/** The days from the start of the study to a stage, which may lie behind it. */
function daysBefore({ stages, postStudy }: SmallSystem, stage: number): number {
  const days = [...stages.map((one) => one.days), ...postStudy.map(({ hours }) => hours / 24)];
  return days.slice(0, stage).reduce((sum, value) => sum + value, 0);
}

function stagesOf({ stages, annualRate }: SmallSystem) {
  let day = 0;
  const date = () => new Date(FIRST_DAY + day * MILLISECONDS_A_DAY).toISOString().slice(0, 10);
  return {
    policy_graph: {
      type: "finite_horizon",
      annual_discount_rate: annualRate,
      transitions: stages.slice(0, -1).map(({ id, rate }, i) => ({
        source_id: id,
        target_id: stages[i + 1].id,
        probability: 1,
        ...(rate === null ? {} : { annual_discount_rate_override: rate }),
      })),
    },
    stages: stages.map(({ id, days, hours, openings, risk, ...more }) => {
      const start = date();
      day += days;
      return {
        id,
        start_date: start,
        end_date: date(),
        blocks: hours.map((value, k) => ({ id: k, name: `block ${k}`, hours: value })),
        num_scenarios: openings,
        ...(more.isChronological && { block_mode: "chronological" }),
        ...(more.season !== null && { season_id: more.season }),
        risk_measure: risk === null ? "expectation" : { cvar: risk },
      };
    }),
  };
}

function rateColumn({ isMost }: SmallFilling): string {
  return isMost ? "filling_inflow_m3s" : "filling_min_rate_m3s";
}

function groupColumns(limits: Partial<SmallGroupLimits>) {
  return {
    min_turbined_m3s: limits.minTurbined,
    max_turbined_m3s: limits.maxTurbined,
    min_generation_mw: limits.minGeneration,
    max_generation_mw: limits.maxGeneration,
  };
}

function lifeOf({ entry, exit }: SmallLife) {
  return {
    ...(entry !== null && { entry_stage_id: entry }),
    ...(exit !== null && { exit_stage_id: exit }),
  };
}

function writeEntities(system: SmallSystem, files: CaseFiles): void {
  files.json("system/buses.json", {
    buses: system.buses.map(({ id, segments }) => ({
      id,
      name: `bus ${id}`,
      ...(segments === null ? {} : { deficit_segments: segmentsOf(segments) }),
    })),
  });
  files.json("system/lines.json", {
    lines: system.lines.map(({ id, life, source, target, direct, reverse, cost, losses }) => ({
      id,
      ...lifeOf(life),
      name: `line ${id}`,
      source_bus_id: source,
      target_bus_id: target,
      capacity: { direct_mw: direct, reverse_mw: reverse },
      ...(losses > 0 && { losses_percent: losses }),
      ...(cost === null ? {} : { exchange_cost: cost }),
    })),
  });
  files.json("system/thermals.json", {
    thermals: system.thermals.map(({ id, life, bus, min, max, cost, lead }) => ({
      id,
      ...lifeOf(life),
      name: `thermal ${id}`,
      bus_id: bus,
      generation: { min_mw: min, max_mw: max },
      cost_per_mwh: cost,
      ...(lead && {
        anticipated_config:
          lead.stages === null ? { lead_time_hours: lead.hours } : { lead_stages: lead.stages },
      }),
    })),
  });
  files.json("system/hydros.json", {
    hydros: system.hydros.map(({ id, bus, productivity, bounds, penalties, ...flows }) => ({
      id,
      name: `hydro ${id}`,
      ...(flows.groups === null
        ? { bus_id: bus }
        : {
            unit_groups: flows.groups.map((group) => ({
              id: group.id,
              name: `units ${group.id}`,
              bus_id: group.bus,
              ...groupColumns(group),
            })),
          }),
      ...lifeOf(flows.life),
      downstream_id: flows.downstream,
      ...(flows.travel && { travel_time_hours: flows.travel.hours }),
      ...(flows.diversion && {
        diversion: {
          downstream_id: flows.diversion.target,
          max_flow_m3s: flows.diversion.max,
        },
      }),
      ...(flows.evaporation && {
        evaporation: {
          coefficients_mm: flows.evaporation.coefficients,
          ...(flows.evaporation.references && {
            reference_volumes_hm3: flows.evaporation.references,
          }),
        },
      }),
      ...(flows.filling && {
        filling: {
          start_stage_id: flows.filling.start,
          [rateColumn(flows.filling)]: flows.filling.rate,
        },
      }),
      reservoir: { min_storage_hm3: bounds.minStorage, max_storage_hm3: bounds.maxStorage },
      outflow: { min_outflow_m3s: bounds.minOutflow, max_outflow_m3s: bounds.maxOutflow },
      generation: {
        ...(flows.production.every(isFunction)
          ? { model: "fpha" }
          : { model: "constant_productivity", productivity_mw_per_m3s: productivity }),
        min_turbined_m3s: bounds.minTurbined,
        max_turbined_m3s: bounds.maxTurbined,
        min_generation_mw: bounds.minGeneration,
        max_generation_mw: bounds.maxGeneration,
      },
      penalties: {
        ...renamed(penalties, PENALTY_COLUMNS),
        ...renamed(flows.waterPenalties, WATER_PENALTY_COLUMNS),
        ...(typeof flows.diversion?.cost === "number" && { diversion_cost: flows.diversion.cost }),
        ...(flows.turbinedCost !== null && { fpha_turbined_cost: flows.turbinedCost }),
      },
    })),
  });
}

function writeGeometry({ hydros }: SmallSystem, files: CaseFiles): void {
  files.table(
    "system/hydro_geometry",
    hydros.flatMap(({ id, evaporation }) =>
      (evaporation?.areas ?? []).map(({ volume, area }, i) => ({
        hydro_id: id,
        volume_hm3: volume,
        height_m: i,
        area_km2: area,
      })),
    ),
  );
}

function writeOverrides(system: SmallSystem, files: CaseFiles): void {
  /** The rows of those stages in which something is overridden. */
  const rows = <S, E extends { readonly id: number; readonly stages: readonly S[] }>(
    key: string,
    entities: readonly (E & { readonly stages: readonly S[] })[],
    values: (
      stage: E["stages"][number],
      entity: E,
      t: number,
    ) => Readonly<Record<string, number | null | undefined>>,
  ) =>
    entities.flatMap((entity) =>
      entity.stages.flatMap((stage, t) => {
        const row = values(stage, entity, t);
        const isEmpty = Object.values(row).every((value) => value === undefined || value === null);
        return isEmpty ? [] : [{ [key]: entity.id, stage_id: system.stages[t].id, ...row }];
      }),
    );
  const { thermals, hydros, lines, buses } = system;
  files.table("constraints/thermal_bounds", [
    ...rows("thermal_id", thermals, ({ min, max, cost }) => ({
      min_generation_mw: min,
      max_generation_mw: max,
      cost_per_mwh: cost,
    })),
    ...blockRows(system, "thermal"),
  ]);
  files.table("constraints/hydro_bounds", [
    ...rows("hydro_id", hydros, ({ bounds }, { diversion, withdrawal, filling }, t) => ({
      ...renamed(bounds, BOUND_COLUMNS),
      max_diversion_m3s: diversion?.stages[t].max,
      ...(filling && { [rateColumn(filling)]: filling.stages[t] }),
      water_withdrawal_m3s: withdrawal[t] === 0 ? null : withdrawal[t],
    })),
    ...blockRows(system, "hydro"),
  ]);
  files.table(
    "constraints/hydro_unit_group_bounds",
    hydros.flatMap(({ id, groups }) =>
      (groups ?? []).flatMap((group) =>
        group.own.map(({ stage, block, limits }) => ({
          hydro_id: id,
          hydro_unit_group_id: group.id,
          stage_id: system.stages[stage].id,
          block_id: block,
          ...groupColumns(limits),
        })),
      ),
    ),
  );
  files.table("constraints/line_bounds", [
    ...rows("line_id", lines, ({ direct, reverse }) => ({
      direct_mw: direct,
      reverse_mw: reverse,
    })),
    ...blockRows(system, "line"),
  ]);
  files.table(
    "constraints/penalty_overrides_bus",
    rows("bus_id", buses, ({ excessCost }) => ({ excess_cost: excessCost })),
  );
  files.table(
    "constraints/penalty_overrides_line",
    rows("line_id", lines, ({ cost }) => ({ exchange_cost: cost })),
  );
  files.table(
    "constraints/penalty_overrides_hydro",
    rows("hydro_id", hydros, ({ penalties }, { diversion, stageWaterPenalties }, t) => ({
      ...renamed(penalties, PENALTY_COLUMNS),
      ...renamed(stageWaterPenalties[t], WATER_PENALTY_COLUMNS),
      diversion_cost: diversion?.stages[t].cost,
    })),
  );
}
