import type { HighsLibrary } from "./library.js";

/** Options of HiGHS by name. */
export type HighsSettings = Readonly<Record<string, string | number | boolean>>;

/**
 * The settings of the first attempt: dual simplex from the current basis. Nothing is scaled, because HiGHS keeps the scale factors of
 * the first solve and gives none to rows added later. The bits would then depend on when a program was first solved.
 *
 * The check of the factors at each rebuild (`rebuild_refactor_solution_error_tolerance`) takes a twentieth of the time of small programs, and must
 * stay: without it HiGHS has called a wrong solution optimal.
 */
export const BASE_SETTINGS: HighsSettings = {
  output_flag: false,
  threads: 1,
  parallel: "off",
  random_seed: 0,
  solver: "simplex",
  presolve: "off",
  simplex_strategy: 1,
  simplex_scale_strategy: 0,
};

/** What each attempt changes in {@link BASE_SETTINGS}. Attempts after the first start without a basis. */
export const LADDER: readonly HighsSettings[] = [
  {},
  { presolve: "on", simplex_scale_strategy: 2 },
  { simplex_strategy: 4, simplex_scale_strategy: 2 },
  { presolve: "on", solver: "ipm", simplex_scale_strategy: 4 },
  {
    simplex_scale_strategy: 2,
    primal_feasibility_tolerance: 1e-6,
    dual_feasibility_tolerance: 1e-6,
  },
];

/** The defaults of options that the ladder changes and {@link BASE_SETTINGS} does not contain. */
export const DEFAULTS: HighsSettings = {
  primal_feasibility_tolerance: 1e-7,
  dual_feasibility_tolerance: 1e-7,
};

/** The values of `HighsModelStatus` in which an LP can end. */
export const ModelStatus = {
  empty: 6,
  optimal: 7,
  infeasible: 8,
  unboundedOrInfeasible: 9,
  unbounded: 10,
  iterationLimit: 14,
} as const;

export const EDGE_WEIGHTS = { choose: -1, devex: 1, steepest: 2 } as const;

/** Options of type double, even if their value is an integer. */
const DOUBLE_OPTIONS = new Set(["primal_feasibility_tolerance", "dual_feasibility_tolerance"]);

/** Sets options of an instance. */
export function applySettings(library: HighsLibrary, highs: number, settings: HighsSettings): void {
  const { call } = library;
  for (const [name, value] of Object.entries(settings)) {
    const option = library.text(name);
    if (typeof value === "string") {
      call._Highs_setStringOptionValue(highs, option, library.text(value));
    } else if (typeof value === "boolean") {
      call._Highs_setBoolOptionValue(highs, option, Number(value));
    } else if (DOUBLE_OPTIONS.has(name)) {
      call._Highs_setDoubleOptionValue(highs, option, value);
    } else {
      call._Highs_setIntOptionValue(highs, option, value);
    }
  }
}
