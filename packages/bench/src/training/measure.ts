import { fileURLToPath } from "node:url";
import { type LaunchBackend, launch } from "@cobre/comm/launch";

/** What training took on one rank. */
export interface TrainingMeasurement {
  readonly lowerBound: number;
  readonly totalMs: number;
  readonly waitingMs: number;
  readonly movingMs: number;
  readonly solvingMs: number;
  readonly lpSolves: number;
  readonly growth: readonly {
    readonly iteration: number;
    readonly rssMiB: number;
    readonly iterationMs: number;
  }[];
}

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));
const ITERATIONS = 30;
const ROUNDS = 3;
const GROWTH = [100, 200, 400];

/**
 * Training of the four-region example: two ranks against two processes that know nothing of each other, where the time goes, and how
 * it grows with the cuts.
 */
export async function runTraining(quick: boolean, say: (text: string) => void): Promise<void> {
  const iterations = quick ? 3 : ITERATIONS;
  const efficiencies: number[] = [];
  say(`\ntraining, four regions, ${iterations} iterations, milliseconds`);
  for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
    const [alone] = await measure("local", 1, iterations);
    // Each does all of the work; half of it would have taken half of the time.
    const [[one], [other]] = await Promise.all([
      measure("local", 1, iterations),
      measure("local", 1, iterations),
    ]);
    const together = await measure("shm", 2, iterations);
    const ceiling = (one.totalMs + other.totalMs) / 4;
    const efficiency = ceiling / together[0].totalMs;
    efficiencies.push(efficiency);
    const times = [alone.totalMs, one.totalMs, other.totalMs, together[0].totalMs];
    const [single, first, second, ranks] = times.map((ms) => ms.toFixed(0));
    say(`  one process ${single}; two at the same time ${first} and ${second}; two ranks ${ranks}`);
    say(`    throughput of two ranks / two independent processes: ${percent(efficiency)}`);
    together.forEach((rank, i) => {
      const share = (ms: number) => percent(ms / rank.totalMs);
      say(
        `    rank ${i}: solving ${share(rank.solvingMs)}, waiting ${share(rank.waitingMs)}, moving ${share(rank.movingMs)}`,
      );
    });
    say(`    one process: solving ${percent(alone.solvingMs / alone.totalMs)}`);
    if (together[0].lowerBound !== alone.lowerBound) throw new Error("the lower bounds differ");
  }
  const sorted = [...efficiencies].sort((a, b) => a - b);
  say(`  median: ${percent(sorted[sorted.length >> 1])}`);
  const marks = quick ? [1, 2, 3] : GROWTH;
  const [grown] = await measure("local", 1, Math.max(...marks), marks);
  say("  growth with the cuts, one process:");
  for (const { iteration, rssMiB, iterationMs } of grown.growth) {
    say(
      `    iteration ${iteration}: ${iterationMs.toFixed(0)} ms, ${rssMiB.toFixed(0)} MiB resident`,
    );
  }
}

async function measure(
  backend: LaunchBackend,
  ranks: number,
  iterations: number,
  marks: readonly number[] = [],
): Promise<TrainingMeasurement[]> {
  const command = [process.execPath, PROGRAM, String(iterations), ...marks.map(String)];
  const job = await launch({ ranks, backend, command, output: "capture" });
  const { code, ranks: ended } = await job.done;
  if (code !== 0) throw new Error(`training: ${ended.map(({ stderr }) => stderr).join("\n")}`);
  return ended.map(({ stdout }) => JSON.parse(stdout) as TrainingMeasurement);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
