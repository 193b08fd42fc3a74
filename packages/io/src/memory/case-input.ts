/** A table: its rows, or its columns. What a row does not have is missing there. */
export type TableInput =
  | readonly Readonly<Record<string, number | null | undefined>>[]
  | Readonly<Record<string, ArrayLike<number | null>>>;

/** An object of a file of a case, with the fields that the file has. */
export interface Fields {
  readonly [field: string]: unknown;
}

export interface BlockInput {
  readonly id: number;
  readonly name: string;
  readonly hours: number;
}

export interface StageInput extends Fields {
  readonly id: number;
  /** A day, as in 2024-01-31. */
  readonly start_date: string;
  readonly end_date: string;
  readonly blocks: readonly BlockInput[];
  readonly num_openings: number;
  readonly season_id?: number;
  readonly risk_measure?: "expectation" | Fields;
}

export interface DeficitSegmentInput {
  /** Without it the segment has no end. */
  readonly depth_mw?: number | null;
  readonly cost: number;
}

export interface BusInput extends Fields {
  readonly id: number;
  readonly name: string;
  readonly deficit_segments?: readonly DeficitSegmentInput[];
}

export interface LineInput extends Fields {
  readonly id: number;
  readonly name: string;
  readonly source_bus_id: number;
  readonly target_bus_id: number;
  readonly capacity: { readonly direct_mw: number; readonly reverse_mw: number };
}

export interface ThermalInput extends Fields {
  readonly id: number;
  readonly name: string;
  readonly bus_id: number;
  readonly cost_per_mwh: number;
  readonly generation: { readonly min_mw: number; readonly max_mw: number };
}

/** The units of a plant that feed one bus. */
export interface UnitGroupInput extends Fields {
  readonly id: number;
  readonly bus_id: number;
  readonly min_generation_mw?: number;
  readonly max_generation_mw?: number;
  readonly min_turbined_m3s?: number;
  readonly max_turbined_m3s?: number;
}

export interface HydroInput extends Fields {
  readonly id: number;
  readonly name: string;
  readonly downstream_id?: number | null;
  readonly unit_groups: readonly UnitGroupInput[];
  readonly reservoir: { readonly min_storage_hm3: number; readonly max_storage_hm3: number };
  readonly outflow: {
    readonly min_outflow_m3s: number;
    readonly max_outflow_m3s?: number | null;
  };
  readonly generation: Fields & {
    readonly model: string;
    readonly productivity_mw_per_m3s?: number;
  };
}

/** Settings, as in `config.json`. */
export interface ConfigInput extends Fields {
  readonly training: Fields & {
    readonly selection:
      | { readonly method: "sampled"; readonly forward_passes: number }
      | { readonly method: "enumerated" };
    readonly stopping_rules: readonly (Fields & { readonly type: string })[];
    readonly tree_seed?: number;
  };
  readonly simulation?: Fields & {
    readonly enabled?: boolean;
    readonly selection?:
      | { readonly method: "sampled"; readonly num_scenarios: number }
      | { readonly method: "enumerated" };
  };
}

/**
 * A whole case as an object. Its fields are named like the files of a case directory and hold what the files hold; a file that holds one list is
 * given as that list. Fields have the names of Cobre 0.18; those of the files of Cobre 0.5 are understood, too (`num_scenarios`, `forward_passes`,
 * `bus_id` of a hydro plant), unless the penalties have `turbined_cost`: then everything is as in Cobre 0.18. {@link loadCase} reads it and judges it by the rules for directories.
 *
 * @example
 * ```ts
 * const source = await loadCase({
 *   config: { training: { selection: { method: "sampled", forward_passes: 4 }, stopping_rules } },
 *   stages, buses, hydros, thermals, penalties, initial_conditions,
 *   inflow_seasonal_stats: [{ hydro_id: 0, stage_id: 0, mean_m3s: 80, std_m3s: 20 }],
 * });
 * ```
 */
export interface CaseInput extends Fields {
  /** What results and messages call the case. Default: `"case"`. */
  readonly name?: string;
  readonly config: ConfigInput;
  readonly stages: readonly StageInput[];
  /** Default: a finite horizon without discount. */
  readonly policy_graph?: Fields;
  readonly season_definitions?: Fields;
  readonly pre_study_stages?: readonly Fields[];
  readonly penalties: Fields;
  readonly initial_conditions: Fields;
  readonly buses: readonly BusInput[];
  /** Default: none. */
  readonly lines?: readonly LineInput[];
  /** Default: none. */
  readonly thermals?: readonly ThermalInput[];
  /** Default: none. */
  readonly hydros?: readonly HydroInput[];
  readonly load_factors?: readonly Fields[];
  readonly correlation?: Fields;
  readonly inflow_seasonal_stats?: TableInput;
  readonly inflow_ar_coefficients?: TableInput;
  readonly inflow_annual_component?: TableInput;
  readonly load_seasonal_stats?: TableInput;
  readonly noise_openings?: TableInput;
  readonly thermal_bounds?: TableInput;
  readonly hydro_bounds?: TableInput;
  readonly line_bounds?: TableInput;
  readonly penalty_overrides_bus?: TableInput;
  readonly penalty_overrides_line?: TableInput;
  readonly penalty_overrides_hydro?: TableInput;
}
