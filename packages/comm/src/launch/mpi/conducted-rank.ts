import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { StreamName } from "../output/receivers.js";
import type { StartedProcess } from "../start-rank.js";

type Exit = readonly [code: number | null, signal: NodeJS.Signals | null];

/** A rank that mpirun has started. It is not our child process; its agent reports about it. */
export class ConductedRank implements StartedProcess {
  readonly pid: number;
  hasEnded = false;
  /** The exit status that the rank announced before it ended, if it did. */
  announced: number | undefined;
  /** Its process was gone at the last check, and its agent has not reported how it ended. */
  isMissed = false;

  readonly #open: (stream: StreamName) => Readable | null;
  readonly #streams: Partial<Record<StreamName, Readable | null>> = {};
  readonly #exit: Promise<Exit>;
  #settle: (exit: Exit) => void = () => {};

  /** `open` is called when a stream is first used, so that its reader does not miss its end. */
  constructor(pid: number, open: (stream: StreamName) => Readable | null) {
    this.pid = pid;
    this.#open = open;
    this.#exit = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get stdout(): Readable | null {
    return this.#stream("stdout");
  }

  get stderr(): Readable | null {
    return this.#stream("stderr");
  }

  #stream(name: StreamName): Readable | null {
    const stream = this.#streams[name];
    if (stream !== undefined) return stream;
    const opened = this.#open(name);
    this.#streams[name] = opened;
    return opened;
  }

  /** Also calls a listener that comes late: a rank may end before the last one has started. */
  once(_event: "exit", listener: (...exit: Exit) => void): void {
    void this.#exit.then((exit) => listener(...exit));
  }

  /** `status` is an exit status as in a shell: above 128 it stands for a signal. */
  ended(status: number): void {
    const signal = status > 128 ? signalOf(status - 128) : undefined;
    this.#end(signal === undefined ? [status, null] : [null, signal]);
  }

  /**
   * The rank ended, but its agent did not report how. Only SIGKILL can keep the agent from
   * reporting.
   */
  vanished(): void {
    if (this.announced === undefined) this.#end([null, "SIGKILL"]);
    else this.ended(this.announced);
  }

  unref(): void {
    // Nothing here keeps the launcher running.
  }

  #end(exit: Exit): void {
    this.hasEnded = true;
    this.#settle(exit);
  }
}

function signalOf(number: number): NodeJS.Signals | undefined {
  const entry = Object.entries(constants.signals).find(([, value]) => value === number);
  return entry?.[0] as NodeJS.Signals | undefined;
}
