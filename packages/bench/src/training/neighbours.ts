/**
 * Training on two ranks beside a process that computes: how long an iteration takes that two ranks share, beside half of what it takes each of
 * them alone. The ranks are bound by our launcher, by Open MPI's mpirun, or not at all.
 */
import { mean, median } from "../measurement.js";
import { startNeighbour } from "../neighbours/neighbour.js";
import { prepareBackend } from "../our-backends.js";
import { alignColumns } from "../table.js";
import { launchRanks, percent, SCALING_PROGRAM } from "./measure.js";
import type { ScalingMeasurement } from "./measurement.js";

/** V8 compiles during the first iterations. */
const LONG = { iterations: 16, warmUp: 6, rounds: 3 };
const QUICK = { iterations: 3, warmUp: 1, rounds: 1 };

const WAYS = [
  { name: "shm", bind: "auto" },
  { name: "shm", bind: "none" },
  { name: "mpi-openmpi", bind: "auto" },
  { name: "mpi-openmpi", bind: "none" },
] as const;

interface Shared {
  readonly togetherMs: number;
  readonly halfMs: number;
}

export async function runTrainingBeside(
  quick: boolean,
  say: (text: string) => void,
): Promise<void> {
  const { iterations, warmUp, rounds } = quick ? QUICK : LONG;
  say(
    `\ntraining on two ranks, four regions, iterations ${warmUp + 1} to ${iterations}, medians of ${rounds} rounds; milliseconds an iteration, two ranks together and half of one process alone`,
  );
  const rows: string[][] = [];
  for (const { name, bind } of WAYS) {
    const { backend, env, missing } = await prepareBackend(name);
    if (missing !== undefined) {
      say(`not run: ${name}: ${missing}`);
      continue;
    }
    const cells: string[] = [];
    for (const isBeside of [false, true]) {
      const made: Shared[] = [];
      for (let round = 0; round < rounds; round++) {
        const neighbour = isBeside ? await startNeighbour() : undefined;
        try {
          const settings = { bind, env };
          const ranks = await launchRanks<ScalingMeasurement>(
            backend,
            2,
            SCALING_PROGRAM,
            iterations,
            settings,
          );
          made.push(sharedTimes(ranks, warmUp));
        } finally {
          await neighbour?.end();
        }
      }
      const together = made.map(({ togetherMs }) => togetherMs);
      const half = median(made.map(({ halfMs }) => halfMs));
      cells.push(median(together).toFixed(0), Math.max(...together).toFixed(0), half.toFixed(0));
      cells.push(percent(half / median(together)));
    }
    rows.push([`${name} --bind ${bind}`, ...cells]);
  }
  const columns = ["together", "worst round", "half alone", "efficiency"];
  const header = [
    "",
    ...columns.map((name) => `${name}, quiet`),
    ...columns.map((name) => `${name}, beside`),
  ];
  say(`\n${alignColumns([header, ...rows])}`);
}

function sharedTimes(ranks: readonly ScalingMeasurement[], warmUp: number): Shared {
  const [first] = ranks;
  const alone = ranks.flatMap(({ aloneMs }) => aloneMs.slice(warmUp));
  return { togetherMs: mean(first?.togetherMs.slice(warmUp) ?? []), halfMs: mean(alone) / 2 };
}
