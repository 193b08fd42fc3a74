import type { CollectiveFailed } from "../errors/comm-error.js";
import { InvalidCommunicator } from "../errors/comm-error.js";

/**
 * Whether a communicator can be used: it is open until it is closed, or broken for good by a
 * failure.
 */
export class Standing {
  private state: "open" | "closed" | "broken" = "open";
  private failure: CollectiveFailed | undefined;

  get isOpen(): boolean {
    return this.state === "open";
  }

  get isClosed(): boolean {
    return this.state === "closed";
  }

  get isBroken(): boolean {
    return this.state === "broken";
  }

  /** What an operation throws when the communicator is not open. */
  unusable(operation: string): InvalidCommunicator {
    return this.state === "broken"
      ? new InvalidCommunicator(operation, "broken", this.failure)
      : new InvalidCommunicator(operation, "closed");
  }

  close(): void {
    this.state = "closed";
  }

  break(failure?: CollectiveFailed): void {
    this.state = "broken";
    this.failure = failure;
  }
}
