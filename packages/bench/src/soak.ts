import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";

const PROGRAM = fileURLToPath(new URL("./soak-rank.js", import.meta.url));
const RANKS = 4;
const CALLS = 1_000_000;

interface MemoryLine {
  readonly rssMiB: number;
  readonly heapMiB: number;
  readonly externalMiB: number;
}

/** Whether memory stays flat over a million mixed small collectives, for every backend. */
export async function runSoak(quick: boolean, say: (text: string) => void): Promise<void> {
  const calls = quick ? CALLS / 100 : CALLS;
  for (const backend of ["mpi", "tcp", "shm"] as const) {
    const command = [process.execPath, PROGRAM, String(calls)];
    const job = await launch({ ranks: RANKS, backend, command, output: "capture" });
    const { code, ranks } = await job.done;
    if (code !== 0) throw new Error(`soak on ${backend}: ${ranks.map((r) => r.stderr).join("\n")}`);
    say(
      `\n${backend}: memory over ${calls} mixed small collectives at ${RANKS} ranks, MiB resident`,
    );
    ranks.forEach(({ stdout }, rank) => {
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as MemoryLine);
      say(`  rank ${rank}: ${lines.map(({ rssMiB }) => rssMiB.toFixed(0)).join(" ")}`);
    });
  }
}
