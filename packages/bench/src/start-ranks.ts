import { type LaunchBackend, launch } from "@cobre/comm/launch";

/** A launch that takes longer than this hangs. */
export const TIMEOUT_SECONDS = 300;

export interface RanksToStart {
  readonly backend: LaunchBackend;
  readonly ranks: number;
  /** A program of ours. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a program on one of our backends and returns what rank 0 printed. */
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
