import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { OutputError } from "@cobre/io";
import { encodePolicy, type Hold, type Policy } from "@cobre/sddp";
import type { RunEvent } from "@cobre/study";

/** How often a run that is held looks whether it may go on. */
const PERIOD_MS = 50;

/**
 * Holds a run at the end of an iteration (`--hold`). The file holds the number of an iteration: from it on, the run waits after each. It
 * goes on when the number is larger, or the file is empty or gone. A file needs no connection: it reaches rank 0 through any launcher.
 */
export class HoldFile {
  private readonly path: string;
  private readonly signal: AbortSignal;
  private readonly tell: (event: RunEvent) => void;

  /** @param signal ends the wait: a run that is held can be stopped */
  constructor(path: string, signal: AbortSignal, tell: (event: RunEvent) => void) {
    this.path = path;
    this.signal = signal;
    this.tell = tell;
  }

  readonly hold: Hold = (iteration, policy) =>
    this.isHeld(iteration) ? this.wait(iteration, policy()) : undefined;

  private isHeld(iteration: number): boolean {
    if (this.signal.aborted) return false;
    const from = this.read();
    return from !== undefined && iteration >= from;
  }

  private async wait(iteration: number, policy: Policy): Promise<void> {
    this.tell({ type: "held", iteration, policy: this.writePolicy(policy) });
    while (this.isHeld(iteration)) await sleep(PERIOD_MS);
    this.tell({ type: "released", iteration });
  }

  /** `undefined` if there is no number: a run is never held by what cannot be understood. */
  private read(): number | undefined {
    try {
      const text = readFileSync(this.path, "latin1").trim();
      return /^\d+$/.test(text) ? Number(text) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Renamed when it is whole, because it is looked at while the next one is written. */
  private writePolicy(policy: Policy): string {
    const path = `${this.path}.policy`;
    try {
      writeFileSync(`${path}.part`, encodePolicy(policy));
      renameSync(`${path}.part`, path);
    } catch (cause) {
      throw OutputError.of(path, cause);
    }
    return path;
  }
}
