/** How one rank ended. */
export interface RankExit {
  readonly rank: number;
  readonly pid: number;
  /** The exit code; `null` if a signal ended the process. */
  readonly code: number | null;
  /** The signal that ended the process; `null` if it exited by itself. */
  readonly signal: NodeJS.Signals | null;
  /** What the rank wrote, with `output: "capture"`; otherwise empty. */
  readonly stdout: string;
  readonly stderr: string;
}

/** How the job ended. */
export interface LaunchResult {
  /**
   * The exit code for a command: 0 if every rank exited with 0; otherwise the code of the first failed
   * rank, or 128 + the signal's number if a signal ended it; 124 after `timeoutSecs`; 141 if the reader
   * of the output is gone, 1 if the output cannot be written.
   */
  readonly code: number;
  /** How each rank ended, in rank order. */
  readonly ranks: readonly RankExit[];
  /** The first rank that did not exit with code 0, even if the launcher ended it. */
  readonly firstFailure: RankExit | undefined;
  /** Whether `timeoutSecs` ended the job. */
  readonly timedOut: boolean;
  /**
   * Whether output was given up because it was not read. The calling process should then exit at
   * once.
   */
  readonly outputLost: boolean;
}

/** A started rank. */
export interface LaunchedRank {
  readonly rank: number;
  /** The number of its process and of its process group. */
  readonly pid: number;
  /** Settles when the rank, its group and its output have ended. Never rejects. */
  readonly exited: Promise<RankExit>;
  /** Signals the rank's process group. Returns whether any process was left to receive it. */
  kill(signal: NodeJS.Signals): boolean;
}

/** A started job. Disposing of it ends it. */
export interface LaunchedJob extends AsyncDisposable {
  readonly ranks: readonly LaunchedRank[];
  /** Settles when every rank has ended and nothing of the job is left. Never rejects. */
  readonly done: Promise<LaunchResult>;
  /** Signals every rank, and does nothing else. */
  kill(signal: NodeJS.Signals): void;
  /**
   * Asks every rank to end with `signal` (default: SIGTERM), and kills what is left after
   * `graceSecs`.
   */
  end(signal?: NodeJS.Signals): Promise<LaunchResult>;
}
