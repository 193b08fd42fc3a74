/** Why results could not be written, or existing ones not be used. */
export type OutputErrorKind =
  /** The system refused: no space, no permission. */
  | "CannotWrite"
  /** The output directory is not empty. */
  | "OutputExists"
  /** Another run writes to the output directory. */
  | "OutputInUse"
  /** A file or directory does not hold complete results. */
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

  /** The error for a file that the system refused to write. */
  static of(path: string, cause: unknown): OutputError {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const reason = cause instanceof Error ? cause.message : String(cause);
    const remedy = REMEDIES[code] ?? "choose another directory";
    return new OutputError(
      "CannotWrite",
      path,
      `${path} cannot be written: ${reason}; ${remedy}`,
      cause,
    );
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "make room on the disk; previous results are unchanged",
  EDQUOT: "make room in the quota; previous results are unchanged",
  EACCES: "choose a directory in which you may write",
  EROFS: "choose a directory in which you may write",
  ENOTDIR: "one of the directories of this path is a file; choose another path",
};
