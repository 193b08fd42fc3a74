const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Notes SIGINT and SIGTERM instead of ending the process, so that a run can stop where nothing is lost: after an iteration or between two
 * scenarios.
 */
export class Interruption implements Disposable {
  private readonly controller = new AbortController();
  private readonly atOnce: (() => void) | undefined;

  /** @param atOnce called at the second SIGINT, to end the process */
  constructor(atOnce?: () => void) {
    this.atOnce = atOnce;
    for (const signal of SIGNALS) process.on(signal, this.ask);
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  private readonly ask = (signal: NodeJS.Signals): void => {
    if (this.signal.aborted && signal === "SIGINT") this.atOnce?.();
    this.controller.abort();
  };

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.ask);
  }
}
