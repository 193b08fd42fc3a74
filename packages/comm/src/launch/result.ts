/** How one rank ended. */
export interface RankExit {
  readonly rank: number;
  readonly pid: number;
  /** Its exit code; `null` if a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it; `null` if it exited by itself. */
  readonly signal: NodeJS.Signals | null;
  /** What it wrote, with `output: "capture"`; otherwise empty. */
  readonly stdout: string;
  readonly stderr: string;
}

/** How the job ended. */
export interface LaunchResult {
  /**
   * What a command would exit with: 0 if every rank exited with 0; otherwise the code of the first
   * rank that failed, 128 + the signal's number if a signal ended it; 124 after `timeoutSecs`; 141
   * if nobody reads the output any more.
   */
  readonly code: number;
  /** Every rank's end, in rank order. */
  readonly ranks: readonly RankExit[];
  /** The first rank that ended with anything but exit code 0, also if the launcher ended it. */
  readonly firstFailure: RankExit | undefined;
  /** Whether `timeoutSecs` ended the job. */
  readonly timedOut: boolean;
  /** Whether output had to be given up because it was not read; a process should then exit at once. */
  readonly outputLost: boolean;
}

/** A rank that was started. */
export interface LaunchedRank {
  readonly rank: number;
  /** Its process, and also its process group. */
  readonly pid: number;
  /** Settles when the rank, its group and its output have ended. Never rejects. */
  readonly exited: Promise<RankExit>;
  /** Signals the rank's process group. Returns whether there was anybody to receive it. */
  kill(signal: NodeJS.Signals): boolean;
}

/** A job that was started. Disposing of it ends it. */
export interface LaunchedJob extends AsyncDisposable {
  readonly ranks: readonly LaunchedRank[];
  /** Settles when every rank has ended and nothing of the job is left. Never rejects. */
  readonly done: Promise<LaunchResult>;
  /** Signals every rank, and leaves it at that. */
  kill(signal: NodeJS.Signals): void;
  /** Asks every rank to end with `signal` (SIGTERM), kills what is left after `graceSecs`. */
  end(signal?: NodeJS.Signals): Promise<LaunchResult>;
}
