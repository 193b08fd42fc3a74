/**
 * Fields that Cobre 0.18 added or renamed. In a case for Cobre 0.5 each one is refused by its name: to skip it would give the result of another
 * case. In a case for Cobre 0.18 those are refused that ask for what this version cannot do.
 */
export type LaterField =
  /** What the field asks for, and whether the readers of Cobre 0.18 know it. */
  | { readonly asksFor: string; readonly isRead?: boolean }
  /** The field of Cobre 0.5 that says the same. */
  | { readonly was: string };

export type LaterFields = Readonly<Record<string, LaterField>>;

const START: LaterFields = {
  operational_start_date: {
    asksFor: "entities in the order of their dates instead of their ids",
    isRead: true,
  },
};

/** By the object that holds the fields. */
export const LATER_FIELDS = {
  training: {
    selection: { was: "forward_passes" },
    parallelism: { asksFor: "a choice of how the backward sweep is divided", isRead: true },
  },
  solver: {
    backward: { asksFor: "settings of the solver for the backward sweep", isRead: true },
    forward: { asksFor: "settings of the solver for the forward passes", isRead: true },
  },
  cutSelection: {
    selection: { asksFor: "cut selection as Cobre 0.18 does it", isRead: true },
    row_activity_tolerance: { was: "cut_activity_tolerance" },
  },
  scenarioSource: { openings: { asksFor: "a choice of where openings come from", isRead: true } },
  modeling: { cost_scale_factor: { asksFor: "another scale of the costs", isRead: true } },
  simulation: {
    selection: { was: "num_scenarios" },
    solver: { asksFor: "settings of the solver for the simulation", isRead: true },
  },
  stages: {
    num_openings: { was: "num_scenarios" },
    annual_discount_rate_override: {
      was: "annual_discount_rate_override of the transition in policy_graph.transitions",
    },
  },
  hydroPenalties: {
    turbined_cost: { asksFor: "a cost of turbined water of every plant", isRead: true },
  },
  productionModels: {
    fpha_plane_reduction: { asksFor: "fewer planes by their angle or distance" },
  },
  productionChoice: {
    productivity_mw_per_m3s: { was: "productivity_override" },
    reference_volume: { asksFor: "a productivity at a reference volume", isRead: true },
  },
  bus: START,
  line: START,
  thermal: START,
  hydro: {
    ...START,
    specific_productivity_mw_per_m3s_per_m: {
      asksFor: "a productivity that depends on the head",
      isRead: true,
    },
  },
  nonControllable: START,
  pumpingStation: START,
  energyContract: START,
} as const satisfies Record<string, LaterFields>;
