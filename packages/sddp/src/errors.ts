/** Kinds of errors in training and simulation that other packages do not report. */
export type SddpErrorKind =
  /** A policy was made for another case, another solver or other settings. */
  | "IncompatiblePolicy"
  /** A policy file is damaged or has another version. */
  | "InvalidPolicy"
  /** A cost or a bound is not a finite number. */
  | "NotFinite"
  /** A stopping rule, a risk measure or a cut selection is not known, or has settings that make no sense. */
  | "InvalidSettings"
  /** Ranks have different solvers, or the same in different versions. */
  | "SolversDiffer"
  /** Ranks have defined different models. */
  | "ModelsDiffer"
  /** A simulation was stopped before its last scenario. */
  | "Interrupted";

/** An error of the algorithm; the message says what to do. */
export class SddpError extends Error {
  override readonly name = "SddpError";
  readonly kind: SddpErrorKind;

  constructor(kind: SddpErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
