import type { Case } from "../load-case.js";

/** Where a part of the model comes from. */
type Source = "user_file" | "none" | "sampled";

/** `training/model_provenance.json`: which files made the stochastic model. Nothing is fitted to a history. */
export interface ModelProvenance {
  readonly version: string;
  readonly estimation_path: "deterministic" | "user_stats_white_noise" | "user_provided_no_history";
  readonly seasonal_stats_source: Source;
  readonly ar_coefficients_source: Source;
  readonly annual_component_source: Source;
  readonly correlation_source: Source;
  readonly opening_tree_source: Source;
  readonly n_hydros: number;
  /** How the order of a fitted model is chosen; `null`: nothing is fitted. */
  readonly ar_method: null;
  /** The longest lag with a coefficient other than 0. */
  readonly ar_max_order: number;
  /** Plants for which a fit has failed. */
  readonly white_noise_fallbacks: readonly number[];
}

export function modelProvenance({ study, uncertainty }: Case): ModelProvenance {
  const { input, openings } = uncertainty;
  const given = (is: boolean): Source => (is ? "user_file" : "none");
  const hasStatistics = input.inflowStatistics.length > 0;
  const hasLags = input.autoregressions.length > 0;
  return {
    version: "1.0",
    estimation_path: !hasStatistics
      ? "deterministic"
      : hasLags
        ? "user_provided_no_history"
        : "user_stats_white_noise",
    seasonal_stats_source: given(hasStatistics),
    ar_coefficients_source: given(hasLags),
    annual_component_source: given(input.annualComponents.length > 0),
    correlation_source: given(input.correlation !== undefined),
    opening_tree_source: openings === undefined ? "sampled" : "user_file",
    n_hydros: study.system.hydros.length,
    ar_method: null,
    ar_max_order: input.autoregressions.reduce(
      (most, { coefficients }) => Math.max(most, coefficients.findLastIndex((c) => c !== 0) + 1),
      0,
    ),
    white_noise_fallbacks: [],
  };
}
