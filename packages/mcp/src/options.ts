/** What a server may do, and where. */
export interface ServerOptions {
  /** The folders that the server may read. Nothing outside of them is opened. */
  readonly roots: readonly string[];
  /** Whether new cases may be written. By default not. */
  readonly allowWrite?: boolean | undefined;
  /** Whether runs may be started and cancelled. By default not. */
  readonly allowRun?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** The command that runs a case, without its arguments. By default `cobre`, as found beside this program. */
  readonly command?: readonly string[] | undefined;
}

/** How much a server may take. */
export interface Limits {
  /** Runs at the same time. */
  readonly runs: number;
  /** Ranks of a run. */
  readonly ranks: number;
  /** Minutes until a run is ended; what it has trained is kept. */
  readonly minutes: number;
  /** Mebibytes of the JavaScript heap of each process of a run. */
  readonly memory: number;
}

export const DEFAULT_LIMITS: Limits = { runs: 2, ranks: 4, minutes: 240, memory: 4096 };
