import { fileURLToPath } from "node:url";
import { type LaunchBackend, type LaunchOptions, launch } from "@cobre/comm/launch";
import { mean, median } from "../measurement.js";
import type {
  Growth,
  ScalingMeasurement,
  TrainingMeasurement,
  TrainingRequest,
} from "./measurement.js";

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));
export const SCALING_PROGRAM = fileURLToPath(new URL("./scaling-rank.js", import.meta.url));
/** V8 compiles during the first seconds, and an iteration of two ranks takes 60 ms. */
const LONG = { iterations: 120, warmUp: 40, rounds: 3 };
const GROWTH = [100, 200, 400];
/** What an iteration may take at the last mark, relative to the first. */
const WANTED_GROWTH = 1.5;
const QUICK = { iterations: 3, warmUp: 1, rounds: 1 };
const DEFAULTS = { solver: "highs-wasm", selection: "default" } as const;

/** Training of the four-regions example: two ranks beside two independent processes, and where the time goes. */
export async function runTraining(quick: boolean, say: (text: string) => void): Promise<void> {
  const { iterations, warmUp, rounds } = quick ? QUICK : LONG;
  say(`\ntraining, four regions, iterations ${warmUp + 1} to ${iterations}, milliseconds`);
  await tellScaling(iterations, warmUp, rounds, say);
  await tellShares({ iterations, warmUp, splitsWaiting: false, marks: [], ...DEFAULTS }, say);
}

/** How the time and memory of an iteration grow with the cuts. Takes minutes. */
export async function runGrowth(
  {
    quick,
    rounds = quick ? QUICK.rounds : LONG.rounds,
    ...how
  }: {
    readonly quick: boolean;
    readonly rounds: number | undefined;
  } & Pick<TrainingRequest, "solver" | "selection">,
  say: (text: string) => void,
): Promise<void> {
  const marks = quick ? [1, 2, 3] : GROWTH;
  const iterations = Math.max(...marks);
  const request = { iterations, warmUp: 0, splitsWaiting: false, marks, ...how };
  say(
    `\ntraining, four regions: growth with the cuts, one process, ${how.solver}, cut selection ${how.selection}`,
  );
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) ratios.push(await tellGrowth(request, say));
  say(
    `  iteration ${iterations} takes ${median(ratios).toFixed(2)} times as long as iteration ${marks[0]} (median; wanted: at most ${WANTED_GROWTH})`,
  );
}

/** The upper limit is measured right beside each iteration of two ranks, because the speed of the machine changes from second to second. */
async function tellScaling(
  iterations: number,
  warmUp: number,
  rounds: number,
  say: (text: string) => void,
): Promise<void> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ranks = await launchRanks<ScalingMeasurement>("shm", 2, SCALING_PROGRAM, iterations);
    const [{ togetherMs }] = ranks;
    // Each process alone does all of the work; half of it would have taken half of the time.
    const halfMs = togetherMs.map(
      (_, i) => mean(ranks.flatMap(({ aloneMs }) => aloneMs[i] ?? [])) / 2,
    );
    const efficiencies = togetherMs.map((ms, i) => (halfMs[i] ?? 0) / ms).slice(warmUp);
    all.push(...efficiencies);
    const half = mean(halfMs.slice(warmUp));
    const together = mean(togetherMs.slice(warmUp));
    say(
      `  an iteration: half of it in two independent processes ${half.toFixed(0)}, two ranks ${together.toFixed(0)}: ${percent(half / together)}; median of the iterations ${percent(median(efficiencies))}`,
    );
  }
  say(`  throughput of two ranks / two independent processes: median ${percent(median(all))}`);
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

/** Returns how many times as long an iteration takes at the last mark as at the first. */
async function tellGrowth(request: TrainingRequest, say: (text: string) => void): Promise<number> {
  const [{ growth }] = await measure("local", 1, request);
  for (const at of growth) {
    const rest = at.iterationMs - at.solvingMs;
    say(
      `  iteration ${at.iteration}: ${at.cutsPerStage} cuts a stage; ${at.iterationMs.toFixed(0)} ms an iteration, ${rest.toFixed(1)} of them not in the solver; ${at.simplexIterations.toFixed(1)} simplex iterations a solve; peak ${at.peakMiB.toFixed(0)} MiB, JavaScript heap ${at.heapMiB.toFixed(0)} MiB`,
    );
  }
  const ratio = (growth.at(-1) as Growth).iterationMs / (growth[0] as Growth).iterationMs;
  say(`  ${ratio.toFixed(2)} times as long at the end`);
  return ratio;
}

const measure = (
  backend: LaunchBackend,
  ranks: number,
  request: TrainingRequest,
): Promise<OfEachRank<TrainingMeasurement>> => launchRanks(backend, ranks, PROGRAM, request);

/** There is at least one rank. */
type OfEachRank<T> = [T, ...T[]];

/** Runs a program and returns the parsed JSON output of each rank. Its argument is passed as JSON, too. */
export async function launchRanks<T>(
  backend: LaunchBackend,
  ranks: number,
  program: string,
  argument: unknown,
  settings: Pick<LaunchOptions, "bind" | "env"> = {},
): Promise<OfEachRank<T>> {
  const command = [process.execPath, program, JSON.stringify(argument)];
  const job = await launch({ ranks, backend, command, output: "capture", ...settings });
  const { code, ranks: ended } = await job.done;
  if (code !== 0) throw new Error(`training: ${ended.map(({ stderr }) => stderr).join("\n")}`);
  return ended.map(({ stdout }) => JSON.parse(stdout)) as OfEachRank<T>;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
