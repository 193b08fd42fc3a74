import type { BackendName } from "../communicator.js";

/** Why no communicator could be created; each kind has a class of the same name. */
export type BackendErrorKind =
  | "InvalidBackend"
  | "BackendNotAvailable"
  | "MissingConfiguration"
  | "InvalidConfiguration"
  | "InitializationFailed";

/**
 * No communicator could be created. `kind` says why; the subclass of that kind has the facts as
 * typed fields. Narrow with {@link isBackendError}.
 *
 * @example
 * ```ts
 * const comm = await createCommunicator().catch((error) => {
 *   if (isBackendError(error)) console.error(error.kind, error.message);
 *   process.exit(1);
 * });
 * ```
 */
export abstract class BackendError extends Error {
  abstract readonly kind: BackendErrorKind;
  override readonly name = "BackendError";

  /** Everything a log or another process needs: name, kind, message and the typed fields. */
  toJSON(): Record<string, unknown> {
    // `message` is not enumerable; `name`, `kind` and the fields are.
    return Object.fromEntries([...Object.entries(this), ["message", this.message]]);
  }
}

/** The requested name is not the name of a backend. */
export class InvalidBackend extends BackendError {
  readonly kind = "InvalidBackend";
  readonly requested: string;
  readonly available: readonly BackendName[];

  constructor(requested: string, available: readonly BackendName[], origin: string) {
    const shown = requested === "" ? "empty" : `"${requested}"`;
    super(
      `${origin} is ${shown}, which names no backend. This build has ${available.join(", ")}; use one of them or "auto", or leave it unset for "auto".`,
    );
    this.requested = requested;
    this.available = available;
  }
}

/** A known backend that this build does not have, or that this platform cannot run. */
export class BackendNotAvailable extends BackendError {
  readonly kind = "BackendNotAvailable";
  readonly requested: BackendName;
  readonly available: readonly BackendName[];

  constructor(requested: BackendName, available: readonly BackendName[], reason: string) {
    super(
      `The ${requested} backend is not available: ${reason} Available: ${available.join(", ")}.`,
    );
    this.requested = requested;
    this.available = available;
  }
}

/** Variables or fields that a backend needs are not set. All of them are listed at once. */
export class MissingConfiguration extends BackendError {
  readonly kind = "MissingConfiguration";
  readonly backend: BackendName;
  readonly missing: readonly string[];

  constructor(backend: BackendName, missing: readonly string[], example: string) {
    const are = missing.length === 1 ? "is" : "are";
    super(
      `The ${backend} backend needs ${missing.join(", ")}, which ${are} not set. For example: ${example}`,
    );
    this.backend = backend;
    this.missing = missing;
  }
}

/** A variable or field cannot be parsed, or contradicts another. */
export class InvalidConfiguration extends BackendError {
  readonly kind = "InvalidConfiguration";
  readonly backend: BackendName;
  readonly setting: string;
  readonly value: string;

  constructor(backend: BackendName, setting: string, value: string, reason: string) {
    super(`${setting}=${value === "" ? '""' : value} cannot be used: ${reason}`);
    this.backend = backend;
    this.setting = setting;
    this.value = value;
  }
}

/** The configuration was complete, but the group did not come together. */
export class InitializationFailed extends BackendError {
  readonly kind = "InitializationFailed";
  readonly backend: BackendName;
  readonly reason: string;
  /** The ranks that never joined, or died first; empty if the failure has another reason. */
  readonly missingRanks: readonly number[];

  constructor(
    backend: BackendName,
    reason: string,
    options: { missingRanks?: readonly number[]; cause?: unknown } = {},
  ) {
    super(
      `The ${backend} backend could not start: ${reason}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.backend = backend;
    this.reason = reason;
    this.missingRanks = options.missingRanks ?? [];
  }
}

/** The union of the concrete classes: `switch (error.kind)` narrows it. */
export type AnyBackendError =
  | InvalidBackend
  | BackendNotAvailable
  | MissingConfiguration
  | InvalidConfiguration
  | InitializationFailed;

/** Whether `error` is a {@link BackendError}, typed so that `error.kind` narrows its fields. */
export function isBackendError(error: unknown): error is AnyBackendError {
  return error instanceof BackendError;
}
