/** What is wrong with the data of a stochastic model; see the class of the same name. */
export type StochasticErrorKind =
  | "InvalidCorrelation"
  | "InvalidInflowModel"
  | "InvalidOpenings"
  | "UnsupportedSampling";

/**
 * The data describe no stochastic model. The message says which part, why, and what would be right.
 *
 * @example
 * ```ts
 * try {
 *   new Correlation(profiles, layout, stages);
 * } catch (error) {
 *   if (error instanceof StochasticError && error.kind === "InvalidCorrelation") report(error.message);
 *   else throw error;
 * }
 * ```
 */
export class StochasticError extends Error {
  override readonly name = "StochasticError";
  readonly kind: StochasticErrorKind;

  constructor(kind: StochasticErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
