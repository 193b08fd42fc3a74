import { EventEmitter } from "node:events";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { StartedProcess } from "../start-rank.js";

type Exit = [code: number | null, signal: NodeJS.Signals | null];

/** A rank that mpirun has started: not our child, but known by what its agent reports. */
export class ConductedRank extends EventEmitter<{ exit: Exit }> implements StartedProcess {
  readonly pid: number;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  hasEnded = false;
  /** How it said that it would end, if it did. */
  announced: number | undefined;
  /** It was not there when last looked for, and its agent has not said how it ended. */
  isMissed = false;

  constructor(pid: number, stdout: Readable | null, stderr: Readable | null) {
    super();
    this.pid = pid;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /** `status` as a shell has it: above 128 it stands for a signal. */
  ended(status: number): void {
    const signal = status > 128 ? signalOf(status - 128) : undefined;
    if (signal === undefined) this.end(status, null);
    else this.end(null, signal);
  }

  /** Its agent did not say how: only SIGKILL leaves it no time to. */
  vanished(): void {
    if (this.announced === undefined) this.end(null, "SIGKILL");
    else this.ended(this.announced);
  }

  unref(): void {
    // Nothing here keeps the launcher waiting.
  }

  private end(...exit: Exit): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.emit("exit", ...exit);
  }
}

function signalOf(number: number): NodeJS.Signals | undefined {
  const entry = Object.entries(constants.signals).find(([, value]) => value === number);
  return entry?.[0] as NodeJS.Signals | undefined;
}
