import type { BackendName } from "../communicator.js";

/** What went wrong with an operation on a communicator; each kind has a class of the same name. */
export type CommErrorKind =
  | "CollectiveFailed"
  | "InvalidBufferSize"
  | "InvalidRoot"
  | "InvalidArgument"
  | "InvalidCommunicator"
  | "AllocationFailed";

/**
 * An operation on a communicator failed. `kind` says how; the subclass of that kind has the facts
 * as typed fields. Narrow with {@link isCommError}.
 *
 * @example
 * ```ts
 * try {
 *   comm.barrier();
 * } catch (error) {
 *   if (isCommError(error) && error.kind === "CollectiveFailed") {
 *     console.error("lost ranks:", error.missingRanks);
 *   }
 *   throw error;
 * }
 * ```
 */
export abstract class CommError extends Error {
  abstract readonly kind: CommErrorKind;
  override readonly name = "CommError";

  /** Everything a log or another process needs: name, kind, message and the typed fields. */
  toJSON(): Record<string, unknown> {
    // `message` is not enumerable; `name`, `kind` and the fields are.
    return Object.fromEntries([...Object.entries(this), ["message", this.message]]);
  }
}

/** A collective could not be completed. The communicator is broken afterwards. */
export class CollectiveFailed extends CommError {
  readonly kind = "CollectiveFailed";
  readonly operation: string;
  readonly backend: BackendName;
  readonly rank: number;
  /** The ranks that died, left or did not arrive in time; empty if none is known to be missing. */
  readonly missingRanks: readonly number[];
  /** The error class that MPI reported; 0 if the error is not from MPI. */
  readonly mpiErrorCode: number;

  constructor(fields: {
    operation: string;
    backend: BackendName;
    rank: number;
    reason: string;
    missingRanks?: readonly number[];
    mpiErrorCode?: number;
    cause?: unknown;
  }) {
    super(
      `${fields.operation} failed on rank ${fields.rank} (${fields.backend}): ${fields.reason}`,
      fields.cause === undefined ? undefined : { cause: fields.cause },
    );
    this.operation = fields.operation;
    this.backend = fields.backend;
    this.rank = fields.rank;
    this.missingRanks = fields.missingRanks ?? [];
    this.mpiErrorCode = fields.mpiErrorCode ?? 0;
  }
}

/** An array, `counts` or `displs` has the wrong length. Nothing was touched. */
export class InvalidBufferSize extends CommError {
  readonly kind = "InvalidBufferSize";
  readonly operation: string;
  readonly expected: number;
  readonly actual: number;

  constructor(operation: string, what: string, expected: number, actual: number, hint: string) {
    super(`${operation}: ${what} has length ${actual}, but ${expected} is needed. ${hint}`);
    this.operation = operation;
    this.expected = expected;
    this.actual = actual;
  }
}

/** `root` is not a rank of this communicator. Nothing was touched. */
export class InvalidRoot extends CommError {
  readonly kind = "InvalidRoot";
  readonly root: number;
  readonly size: number;

  constructor(root: number, size: number) {
    const range = size === 1 ? "the only rank is 0" : `the ranks are 0 to ${size - 1}`;
    super(`broadcast: root ${String(root)} is not a rank of this communicator; ${range}.`);
    this.root = root;
    this.size = size;
  }
}

/** An argument has a type or value that the operation does not accept. Nothing was touched. */
export class InvalidArgument extends CommError {
  readonly kind = "InvalidArgument";
  readonly operation: string;
  readonly argument: string;
  readonly reason: string;

  constructor(operation: string, argument: string, reason: string) {
    super(`${operation}: ${argument} ${reason}`);
    this.operation = operation;
    this.argument = argument;
    this.reason = reason;
  }
}

/** The communicator or region was closed, or an earlier failure broke it. */
export class InvalidCommunicator extends CommError {
  readonly kind = "InvalidCommunicator";
  readonly operation: string;
  readonly state: "closed" | "broken";

  constructor(operation: string, state: "closed" | "broken", cause?: Error) {
    super(
      state === "closed"
        ? `${operation}: the communicator or region is already closed. Keep it open until the last operation has returned.`
        : `${operation}: an earlier failure broke this communicator (${cause?.message ?? "unknown"}). Create a new one, in new processes.`,
      cause === undefined ? undefined : { cause },
    );
    this.operation = operation;
    this.state = state;
  }
}

/** Memory for a region or a segment could not be allocated. */
export class AllocationFailed extends CommError {
  readonly kind = "AllocationFailed";
  readonly requestedBytes: number;
  readonly availableBytes: number;

  constructor(requestedBytes: number, availableBytes: number, reason: string, cause?: unknown) {
    super(
      `${requestedBytes} bytes could not be allocated (${availableBytes} available): ${reason}`,
      cause === undefined ? undefined : { cause },
    );
    this.requestedBytes = requestedBytes;
    this.availableBytes = availableBytes;
  }
}

/** The union of the concrete classes: `switch (error.kind)` narrows it. */
export type AnyCommError =
  | CollectiveFailed
  | InvalidBufferSize
  | InvalidRoot
  | InvalidArgument
  | InvalidCommunicator
  | AllocationFailed;

/** Whether `error` is a {@link CommError}, typed so that `error.kind` narrows its fields. */
export function isCommError(error: unknown): error is AnyCommError {
  return error instanceof CommError;
}
