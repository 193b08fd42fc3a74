import { fileURLToPath } from "node:url";
import { type LaunchResult, launch } from "@cobre/comm/launch";
import { type MpiName, mpiVariables } from "../mpi-installed.js";

export const SCENE = fileURLToPath(new URL("./scene.js", import.meta.url));

/** What became of a scene. */
export interface Played {
  readonly result: LaunchResult;
  /** The lines each rank has printed. */
  readonly lines: readonly Record<string, unknown>[][];
  /** Everything that was said, for the message of an assertion. */
  readonly story: string;
}

/** Plays a scene on ranks that the launcher starts with the given MPI. */
export async function play(
  mpi: MpiName,
  scene: string,
  ranks: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Played> {
  const job = await launch({
    ranks,
    backend: "mpi",
    command: [process.execPath, SCENE, scene],
    env: { ...mpiVariables(mpi), ...env },
    timeoutSecs: 300,
    output: "capture",
  });
  const result = await job.done;
  const lines = result.ranks.map(({ stdout }) =>
    stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  );
  const story = result.ranks
    .map(
      ({ rank, code, signal, stdout, stderr }) => `${rank}: ${code ?? signal}\n${stdout}${stderr}`,
    )
    .join("\n");
  return { result, lines, story };
}
