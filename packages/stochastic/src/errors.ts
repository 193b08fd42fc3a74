/** The kinds of {@link StochasticError}. */
export type StochasticErrorKind =
  | "InvalidCorrelation"
  | "InvalidInflowModel"
  | "InvalidOpenings"
  | "UnsupportedSampling";

/** Where in its file the fault is. */
export interface StochasticErrorPlace {
  /** As in `row 3`. */
  readonly entity: string;
  readonly field: string;
}

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
  /** `undefined` if it is about the file as a whole. */
  readonly place: StochasticErrorPlace | undefined;

  constructor(kind: StochasticErrorKind, message: string, place?: StochasticErrorPlace) {
    super(message);
    this.kind = kind;
    this.place = place;
  }
}
