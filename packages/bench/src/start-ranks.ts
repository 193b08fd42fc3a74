import { fileURLToPath } from "node:url";
import { type LaunchBackend, launch } from "@cobre/comm/launch";
import { type Cell, encodeCell } from "./plan.js";

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));

/** Runs the rank program on one of our backends and returns what rank 0 printed. */
export async function startRanks(
  backend: LaunchBackend,
  ranks: number,
  plan: readonly Cell[],
  timeoutSecs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const command = [process.execPath, PROGRAM, ...plan.map(encodeCell)];
  const job = await launch({ ranks, backend, command, env, timeoutSecs, output: "capture" });
  const result = await job.done;
  if (result.code === 0) return result.ranks[0]?.stdout ?? "";
  if (result.timedOut) throw new Error(`took longer than ${timeoutSecs} s`);
  const failed = result.firstFailure;
  throw new Error(`rank ${failed?.rank} exited with ${result.code}\n${failed?.stderr ?? ""}`);
}
