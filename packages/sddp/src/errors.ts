/** What can go wrong in training and simulation, beyond what other packages report. */
export type SddpErrorKind =
  /** A policy does not belong to this case, this solver or these settings. */
  | "IncompatiblePolicy"
  /** A policy file is damaged or of another version. */
  | "InvalidPolicy";

/** An error of the algorithm; the message says what to do. */
export class SddpError extends Error {
  override readonly name = "SddpError";
  readonly kind: SddpErrorKind;

  constructor(kind: SddpErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
