/**
 * Fields that Cobre 0.18 added or renamed. This version reads cases of Cobre 0.5. To skip such a field would give the result of another
 * case, so each one is refused by its name.
 */
export type LaterField =
  /** What the field asks for. */
  | { readonly asksFor: string }
  /** The field of Cobre 0.5 that says the same. */
  | { readonly was: string };

export type LaterFields = Readonly<Record<string, LaterField>>;

const START: LaterFields = {
  operational_start_date: { asksFor: "entities in the order of their dates instead of their ids" },
};

/** By the object that holds the fields. */
export const LATER_FIELDS = {
  training: {
    selection: { was: "forward_passes" },
    parallelism: { asksFor: "a choice of how the backward sweep is divided" },
  },
  solver: {
    backward: { asksFor: "settings of the solver for the backward sweep" },
    forward: { asksFor: "settings of the solver for the forward passes" },
  },
  cutSelection: {
    selection: { asksFor: "cut selection as Cobre 0.18 does it" },
    row_activity_tolerance: { was: "cut_activity_tolerance" },
  },
  scenarioSource: { openings: { asksFor: "a choice of where openings come from" } },
  modeling: { cost_scale_factor: { asksFor: "another scale of the costs" } },
  simulation: {
    selection: { was: "num_scenarios" },
    solver: { asksFor: "settings of the solver for the simulation" },
  },
  stages: {
    num_openings: { was: "num_scenarios" },
    annual_discount_rate_override: {
      was: "annual_discount_rate_override of the transition in policy_graph.transitions",
    },
  },
  hydroPenalties: { turbined_cost: { asksFor: "a cost of turbined water of every plant" } },
  productionModels: {
    fpha_plane_reduction: { asksFor: "fewer planes by their angle or distance" },
  },
  productionChoice: {
    productivity_mw_per_m3s: { was: "productivity_override" },
    reference_volume: { asksFor: "a productivity at a reference volume" },
  },
  bus: START,
  line: START,
  thermal: START,
  hydro: {
    ...START,
    specific_productivity_mw_per_m3s_per_m: { asksFor: "a productivity that depends on the head" },
  },
  nonControllable: START,
  pumpingStation: START,
  energyContract: START,
} as const satisfies Record<string, LaterFields>;
