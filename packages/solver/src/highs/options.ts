import type { HighsLibrary } from "./library.js";

/** The ladder of settings: what each attempt changes against {@link BASE_SETTINGS}. */
export type HighsSettings = Readonly<Record<string, string | number | boolean>>;

/**
 * How the first attempt solves: dual simplex from the basis there is. Nothing is scaled: HiGHS keeps the scale factors of the first solve
 * and gives rows that are added later none, so that the bits would depend on what a program was when it was first solved.
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

/** Attempts after the first start from nothing. */
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

/** What the settings of the ladder are without it, if not in {@link BASE_SETTINGS}. */
export const DEFAULTS: HighsSettings = {
  primal_feasibility_tolerance: 1e-7,
  dual_feasibility_tolerance: 1e-7,
};

/** `HighsModelStatus` as far as an LP can end in it. */
export const ModelStatus = {
  empty: 6,
  optimal: 7,
  infeasible: 8,
  unboundedOrInfeasible: 9,
  unbounded: 10,
  iterationLimit: 14,
} as const;

export const EDGE_WEIGHTS = { choose: -1, devex: 1, steepest: 2 } as const;

/** Options that are doubles, whatever their value looks like. */
const DOUBLE_OPTIONS = new Set(["primal_feasibility_tolerance", "dual_feasibility_tolerance"]);

/** Sets options of an instance. */
export function applySettings(library: HighsLibrary, highs: number, settings: HighsSettings): void {
  const { call } = library;
  for (const [name, value] of Object.entries(settings)) {
    const option = library.text(name);
    if (typeof value === "string") {
      call._Highs_setStringOptionValue(highs, option, library.text(value));
    } else if (typeof value === "boolean") {
      call._Highs_setBoolOptionValue(highs, option, value ? 1 : 0);
    } else if (DOUBLE_OPTIONS.has(name)) {
      call._Highs_setDoubleOptionValue(highs, option, value);
    } else {
      call._Highs_setIntOptionValue(highs, option, value);
    }
  }
}
