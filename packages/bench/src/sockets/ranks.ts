import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));

/** The task of the ranks; see rank.ts. */
export type Task =
  | { readonly kind: "allgatherv"; readonly bytes: number; readonly calls: number }
  | { readonly kind: "mix"; readonly calls: number }
  | { readonly kind: "memory"; readonly bytes: number };

export interface RankSettings {
  readonly size: number;
  readonly port: number;
  readonly coordinator: string;
  readonly bindAddress: string;
  /** A command through which a rank's process is started. */
  readonly through?: (rank: number) => readonly string[];
}

/** Runs a group over tcp without the launcher, and returns the parsed output of each rank. */
export async function runRanks<Result>(task: Task, settings: RankSettings): Promise<Result[]> {
  const { size, through = () => [] } = settings;
  return Promise.all(
    Array.from({ length: size }, (_, rank) => runRank<Result>(task, settings, rank, through(rank))),
  );
}

async function runRank<Result>(
  task: Task,
  { size, port, coordinator, bindAddress }: RankSettings,
  rank: number,
  through: readonly string[],
): Promise<Result> {
  const [file, ...args] = [...through, process.execPath, PROGRAM, JSON.stringify(task)];
  const child = spawn(file as string, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      COBRE_COMM_BACKEND: "tcp",
      COBRE_TCP_RANK: String(rank),
      COBRE_TCP_SIZE: String(size),
      COBRE_TCP_PORT: String(port),
      COBRE_TCP_COORDINATOR: coordinator,
      COBRE_TCP_BIND_ADDR: bindAddress,
      COBRE_TCP_TOKEN: "benchmark",
    },
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`rank ${rank} ended with ${code}`);
  return JSON.parse(text) as Result;
}
