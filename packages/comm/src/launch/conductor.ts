import type { LaunchSettings } from "./options.js";
import type { StreamName } from "./output/receivers.js";
import type { LeaderExit } from "./rank-process.js";
import type { StartedProcess } from "./start-rank.js";

/** What a program that starts all ranks at once needs to know. */
export interface Score {
  readonly settings: LaunchSettings;
  /** The complete environment of each rank. */
  readonly environments: readonly Readonly<Record<string, string>>[];
  /** What a stream of the ranks is connected to. */
  readonly stdio: (stream: StreamName) => "inherit" | "pipe";
  /** Shows the user a message. */
  readonly notice: (message: string) => void;
}

/** A program that starts all ranks and stays until they have ended: mpirun. */
export interface Conductor {
  /** The path of the program. */
  readonly name: string;
  /** The number of its process and of its process group. */
  readonly pid: number;
  /** The ranks in rank order, once all are running. Rejects if they cannot be started. */
  readonly started: Promise<readonly StartedProcess[]>;
  /** Asks the program to end, and kills it after the grace time. */
  end(): void;
  /**
   * Call it when the ranks are gone. Settles when the program has ended; makes it end if it does
   * not.
   */
  dismiss(): Promise<LeaderExit>;
}
