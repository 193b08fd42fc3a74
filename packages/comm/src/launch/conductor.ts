import type { LaunchSettings } from "./options.js";
import type { StreamName } from "./output/receivers.js";
import type { LeaderExit } from "./rank-process.js";
import type { StartedProcess } from "./start-rank.js";

/** What a program that starts all ranks at once has to know. */
export interface Score {
  readonly settings: LaunchSettings;
  /** All variables of each rank. */
  readonly environments: readonly Readonly<Record<string, string>>[];
  /** What the ranks' streams are connected to. */
  readonly stdio: (stream: StreamName) => "inherit" | "pipe";
  /** Tells the user something. */
  readonly notice: (message: string) => void;
}

/** A program that has started all ranks and stays until they have ended: mpirun. */
export interface Conductor {
  /** The program. */
  readonly name: string;
  /** Its process, and also its process group. */
  readonly pid: number;
  /** The ranks, once they run, in rank order; rejects if they will not. */
  readonly started: Promise<readonly StartedProcess[]>;
  /** Asks it to end; kills it after the grace time. */
  end(): void;
  /** The ranks are gone: settles when it is, too, which it is made to be. */
  dismiss(): Promise<LeaderExit>;
}
