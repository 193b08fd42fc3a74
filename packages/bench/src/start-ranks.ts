import { type LaunchBackend, launch } from "@cobre/comm/launch";

/** A launch that takes longer is taken to hang. */
export const TIMEOUT_SECONDS = 300;

export interface RanksToStart {
  readonly backend: LaunchBackend;
  readonly ranks: number;
  /** One of our programs. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The launcher's `--bind`. */
  readonly bind?: string;
}

/** Runs a program on one of our backends and returns the output of rank 0. */
export async function startRanks(toStart: RanksToStart): Promise<string> {
  const { program, args, ...rest } = toStart;
  const timeoutSecs = TIMEOUT_SECONDS;
  const command = [process.execPath, program, ...args];
  const job = await launch({ ...rest, command, timeoutSecs, output: "capture" });
  const result = await job.done;
  if (result.code === 0) return result.ranks[0]?.stdout ?? "";
  if (result.timedOut) throw new Error(`took longer than ${timeoutSecs} s`);
  const failed = result.firstFailure;
  throw new Error(`rank ${failed?.rank} exited with ${result.code}\n${failed?.stderr ?? ""}`);
}
