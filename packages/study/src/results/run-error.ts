/** Why what a run wrote cannot be read. */
export type RunErrorKind =
  /** The directory does not exist, or no run has written it. */
  | "NotARun"
  /** A run has begun in the directory, but has no results yet: it still runs, or it was killed. */
  | "Unfinished"
  /** The run did not write this: it had no simulation, no such scenario, no such export. */
  | "Missing"
  /** A file is damaged or incomplete. */
  | "Damaged";

/** What a run wrote, or `undefined` if it did not write it. */
export async function ifWritten<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof RunError && error.kind === "Missing") return undefined;
    throw error;
  }
}

/** An error in reading what a run wrote; the message says what to do. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly kind: RunErrorKind;
  readonly path: string;

  constructor(kind: RunErrorKind, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.path = path;
  }
}
