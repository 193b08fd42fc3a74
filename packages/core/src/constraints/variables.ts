/** The variables that generic constraints may name, and the kind of entity each belongs to. */
export const GENERIC_VARIABLES = {
  hydro_storage: { entity: "hydro", isOfBlock: false },
  /** Of Cobre 0.18: at the start and the end of the stage, and above the minimum of the plant. */
  hydro_storage_initial: { entity: "hydro", isOfBlock: false },
  hydro_storage_final: { entity: "hydro", isOfBlock: false },
  hydro_useful_volume_initial: { entity: "hydro", isOfBlock: false },
  hydro_useful_volume_final: { entity: "hydro", isOfBlock: false },
  hydro_evaporation: { entity: "hydro", isOfBlock: false },
  hydro_withdrawal: { entity: "hydro", isOfBlock: false },
  hydro_turbined: { entity: "hydro", isOfBlock: true },
  hydro_spillage: { entity: "hydro", isOfBlock: true },
  hydro_diversion: { entity: "hydro", isOfBlock: true },
  hydro_outflow: { entity: "hydro", isOfBlock: true },
  hydro_generation: { entity: "hydro", isOfBlock: true },
  /** Of Cobre 0.18: the natural inflow, and what arrives from plants upstream or is diverted to the plant. */
  hydro_inflow: { entity: "hydro", isOfBlock: true },
  thermal_generation: { entity: "thermal", isOfBlock: true },
  /** Of Cobre 0.18: what a plant that is committed ahead is committed to in the stage, for later ones. */
  anticipated_decision: { entity: "thermal", isOfBlock: false },
  line_direct: { entity: "line", isOfBlock: true },
  line_reverse: { entity: "line", isOfBlock: true },
  line_exchange: { entity: "line", isOfBlock: true },
  bus_deficit: { entity: "bus", isOfBlock: true },
  bus_excess: { entity: "bus", isOfBlock: true },
  pumping_flow: { entity: "pumping station", isOfBlock: true },
  pumping_power: { entity: "pumping station", isOfBlock: true },
  contract_import: { entity: "contract", isOfBlock: true },
  contract_export: { entity: "contract", isOfBlock: true },
  non_controllable_generation: { entity: "non-controllable source", isOfBlock: true },
  non_controllable_curtailment: { entity: "non-controllable source", isOfBlock: true },
} as const satisfies Record<string, { readonly entity: string; readonly isOfBlock: boolean }>;

/** Variables that only texts of Cobre 0.18 may name. */
export const LATER_VARIABLES: ReadonlySet<string> = new Set<GenericVariable>([
  "hydro_storage_initial",
  "hydro_storage_final",
  "hydro_useful_volume_initial",
  "hydro_useful_volume_final",
  "hydro_inflow",
  "anticipated_decision",
]);

/** Variables of the stage that in Cobre 0.18 may also be those of a block of a chronological one. */
export const VARIABLES_BY_PERIOD: ReadonlySet<string> = new Set<GenericVariable>([
  "hydro_storage_initial",
  "hydro_storage_final",
  "hydro_useful_volume_initial",
  "hydro_useful_volume_final",
  "hydro_evaporation",
]);

/** Variables that are divided among the buses that a plant feeds. */
export const VARIABLES_BY_BUS: ReadonlySet<string> = new Set<GenericVariable>([
  "hydro_turbined",
  "hydro_generation",
]);

export type GenericVariable = keyof typeof GENERIC_VARIABLES;
export type GenericEntity = (typeof GENERIC_VARIABLES)[GenericVariable]["entity"];
