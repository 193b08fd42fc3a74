import { fileURLToPath } from "node:url";
import { type LaunchBackend, launch } from "@cobre/comm/launch";
import { median } from "../measurement.js";
import type { TrainingMeasurement, TrainingRequest } from "./measurement.js";

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));
const SCALING = { iterations: 30, warmUp: 5, rounds: 5 };
const GROWTH = [100, 200, 400];
const QUICK = { iterations: 3, warmUp: 1, rounds: 1 };

/**
 * Training of the four-region example: two ranks against two processes that know nothing of each other, where the time goes, and how
 * it grows with the cuts.
 */
export async function runTraining(quick: boolean, say: (text: string) => void): Promise<void> {
  const { iterations, warmUp, rounds } = quick ? QUICK : SCALING;
  const request = { iterations, warmUp, splitsWaiting: false, marks: [] };
  say(`\ntraining, four regions, iterations ${warmUp + 1} to ${iterations}, milliseconds`);
  await runScaling(request, rounds, say);
  await tellShares(request, say);
  await tellGrowth(quick ? [1, 2, 3] : GROWTH, say);
}

/** The ceiling is measured right before each run of two ranks: how fast such a machine is changes from minute to minute. */
async function runScaling(
  request: TrainingRequest,
  rounds: number,
  say: (text: string) => void,
): Promise<void> {
  const efficiencies: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Each does all of the work; half of it would have taken half of the time.
    const [[one], [other]] = await Promise.all([
      measure("local", 1, request),
      measure("local", 1, request),
    ]);
    const [together] = await measure("shm", 2, request);
    if (together.lowerBound !== one.lowerBound) throw new Error("the lower bounds differ");
    const efficiency = (one.totalMs + other.totalMs) / 4 / together.totalMs;
    efficiencies.push(efficiency);
    const [first, second, ranks] = [one, other, together].map(({ totalMs }) => totalMs.toFixed(0));
    say(
      `  two independent processes ${first} and ${second}, half of it for half the work; two ranks ${ranks}: ${percent(efficiency)}`,
    );
  }
  say(
    `  throughput of two ranks / two independent processes: median ${percent(median(efficiencies))}`,
  );
}

async function tellShares(request: TrainingRequest, say: (text: string) => void): Promise<void> {
  const [alone] = await measure("local", 1, request);
  say(`  one process alone: solving LPs ${percent(alone.solvingMs / alone.totalMs)}`);
  const ranks = await measure("shm", 2, { ...request, splitsWaiting: true });
  ranks.forEach((rank, i) => {
    const share = (ms: number) => percent(ms / rank.totalMs);
    say(
      `  rank ${i} of 2: solving LPs ${share(rank.solvingMs)}; in collectives waiting ${share(rank.waitingMs)}, moving ${share(rank.movingMs)}`,
    );
  });
}

async function tellGrowth(marks: readonly number[], say: (text: string) => void): Promise<void> {
  const request = { iterations: Math.max(...marks), warmUp: 0, splitsWaiting: false, marks };
  const [{ growth }] = await measure("local", 1, request);
  say("  growth with the cuts, one process:");
  for (const at of growth) {
    const rest = at.iterationMs - at.solvingMs;
    say(
      `    iteration ${at.iteration}: ${at.cutsPerStage} cuts a stage; ${at.iterationMs.toFixed(0)} ms an iteration, ${rest.toFixed(1)} of them not in the solver; ${at.simplexIterations.toFixed(1)} simplex iterations a solve; peak ${at.peakMiB.toFixed(0)} MiB, JavaScript heap ${at.heapMiB.toFixed(0)} MiB`,
    );
  }
}

async function measure(
  backend: LaunchBackend,
  ranks: number,
  request: TrainingRequest,
): Promise<TrainingMeasurement[]> {
  const command = [process.execPath, PROGRAM, JSON.stringify(request)];
  const job = await launch({ ranks, backend, command, output: "capture" });
  const { code, ranks: ended } = await job.done;
  if (code !== 0) throw new Error(`training: ${ended.map(({ stderr }) => stderr).join("\n")}`);
  return ended.map(({ stdout }) => JSON.parse(stdout) as TrainingMeasurement);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
