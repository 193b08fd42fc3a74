/** The kinds of {@link StochasticError}. */
export type StochasticErrorKind =
  | "InvalidCorrelation"
  | "InvalidInflowModel"
  | "InvalidOpenings"
  | "UnsupportedSampling";

/**
 * The data do not describe a valid stochastic model. The message says what is wrong and, after its last semicolon, how to put it right.
 *
 * @example
 * ```ts
 * try {
 *   new Correlation(spec, layout);
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
