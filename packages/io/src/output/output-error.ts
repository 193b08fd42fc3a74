/** Results could not be written, or those that are there cannot be used. */
export type OutputErrorKind =
  /** The system refused: no space, no permission. */
  | "CannotWrite"
  /** There is something where results should go. */
  | "OutputExists"
  /** What should hold results does not, or not in full. */
  | "InvalidOutput";

/** An error of an output directory; the message says what to do. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  readonly kind: OutputErrorKind;
  readonly path: string;

  constructor(kind: OutputErrorKind, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.path = path;
  }

  /** The error for what the system said about a file that was to be written. */
  static of(path: string, cause: unknown): OutputError {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const reason = cause instanceof Error ? cause.message : String(cause);
    const remedy = REMEDIES[code] ?? "give another directory";
    return new OutputError(
      "CannotWrite",
      path,
      `${path} cannot be written: ${reason}; ${remedy}`,
      cause,
    );
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "make room on the disk, what was there before is unchanged",
  EDQUOT: "make room in the quota, what was there before is unchanged",
  EACCES: "give a directory that may be written",
  EROFS: "give a directory that may be written",
  ENOTDIR: "one of the directories of this path is a file; give another path",
};
