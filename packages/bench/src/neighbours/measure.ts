/**
 * What users see: short launches on a machine that is quiet, and on one where another process
 * computes. The other parts want a quiet machine; desktops and shared nodes are not.
 */
import { type Measurement, median } from "../measurement.js";
import type { Options } from "../options.js";
import { lastWords } from "../run-program.js";
import { alignColumns, formatTime } from "../table.js";
import { startNeighbour } from "./neighbour.js";
import { allOf, findStarters, RANKS, type Starter } from "./starters.js";

/** Calls after the first thousand and before the batches that count, and those batches. */
const FIRST_CALLS = 1000;
const BATCH_CALLS = 3000;
const WARM_UP = 2;
const BATCHES = 9;

/** Above this ratio of the worst launch to the median, a table has a warning. */
const FAR_APART = 3;

/** What one launch has shown. */
interface Launch {
  /** From the start to the end of the first barrier, in milliseconds. */
  readonly startMs: number;
  /** Microseconds per call. */
  readonly first: number;
  readonly later: number;
}

/** Alone, beside a process that computes, and with the same job once more at the same time. */
const CONDITIONS = ["quiet", "beside", "two jobs"] as const;

type Condition = (typeof CONDITIONS)[number];

interface Row {
  readonly starter: Starter;
  readonly launches: Record<Condition, Launch[]>;
}

/** A line of the results. */
export interface NeighbourLine extends Measurement {
  readonly condition: Condition;
  readonly launches: number;
  /** The launch that took longest. */
  readonly worst: number;
  /** Medians: milliseconds to the first barrier, microseconds per call of the first thousand. */
  readonly startMs: number;
  readonly firstUs: number;
}

/** Launches each starter under each condition, by turns. */
export async function runNeighbours(
  { launches, backends, peers }: Options,
  say: (text: string) => void,
  progress: (text: string) => void,
): Promise<NeighbourLine[]> {
  const { starters, obstacles } = await findStarters(backends, peers);
  for (const obstacle of obstacles) say(`not run: ${obstacle}`);
  const rows: Row[] = starters.map((starter) => ({
    starter,
    launches: { quiet: [], beside: [], "two jobs": [] },
  }));
  const failures = new Map<Starter, string>();
  for (let round = 0; round < launches; round++) {
    for (const condition of CONDITIONS) {
      const neighbour = condition === "beside" ? await startNeighbour() : undefined;
      try {
        for (const { starter, launches: made } of rows) {
          if (failures.has(starter)) continue;
          progress(`launch ${round + 1} of ${launches}, ${condition}: ${starter.name}`);
          const jobs = condition === "two jobs" ? [starter, starter] : [starter];
          try {
            made[condition].push(...(await allOf(jobs.map(launchOnce))));
          } catch (error) {
            failures.set(starter, lastWords(error));
          }
        }
      } finally {
        await neighbour?.end();
      }
    }
  }
  progress("");
  for (const [{ name }, reason] of failures) say(`failed: ${name}: ${reason}`);
  const finished = rows.filter(({ starter }) => !failures.has(starter));
  tell(finished, launches, say);
  return finished.flatMap((row) => CONDITIONS.map((condition) => lineOf(row, condition)));
}

async function launchOnce({ start }: Starter): Promise<Launch> {
  const output = await start([
    `start:${Date.now()}`,
    `allreduce:8:${FIRST_CALLS}:0:1`,
    `allreduce:8:${BATCH_CALLS}:${WARM_UP}:${BATCHES}`,
  ]);
  const figures = (op: string) =>
    output
      .split("\n")
      .filter((line) => line.startsWith(`${op} `))
      .map((line) => line.trim().split(" ").slice(2).map(Number));
  const [[startMs] = []] = figures("start");
  const [[first] = [], later = []] = figures("allreduce");
  if (startMs === undefined || first === undefined || later.length !== BATCHES) {
    throw new Error(`unexpected output: ${output}`);
  }
  return { startMs, first, later: median(later) };
}

function lineOf({ starter, launches }: Row, condition: Condition): NeighbourLine {
  const made = launches[condition];
  const later = made.map((launch) => launch.later);
  return {
    backend: starter.name,
    ranks: RANKS,
    op: "allreduce",
    bytes: 8,
    condition,
    launches: made.length,
    us: median(later),
    best: Math.min(...later),
    worst: Math.max(...later),
    startMs: median(made.map((launch) => launch.startMs)),
    firstUs: median(made.map((launch) => launch.first)),
  };
}

function tell(rows: readonly Row[], launches: number, say: (text: string) => void): void {
  const about = `two ranks, ${launches} launches each: median and worst launch; quiet, beside a process that computes, and two such jobs at once`;
  say(`\nallreduce of 8 B, µs per call, ${about}`);
  say(`\n${tableOf(rows, (launch) => launch.later)}`);
  for (const row of rows) for (const warning of warningsOf(row)) say(warning);
  say(`\nthe first ${FIRST_CALLS} of these calls, µs per call`);
  say(`\n${tableOf(rows, (launch) => launch.first)}`);
  say("\nfrom the start to the end of the first barrier, ms");
  say(`\n${tableOf(rows, (launch) => launch.startMs)}`);
}

function tableOf(rows: readonly Row[], pick: (launch: Launch) => number): string {
  const header = ["", ...CONDITIONS.flatMap((name) => [name, "worst"]), "beside / quiet"];
  const lines = rows.map(({ starter, launches }) => {
    const figures = CONDITIONS.map((condition) => launches[condition].map(pick));
    const [quiet = 0, beside = 0] = figures.map(median);
    return [
      starter.name,
      ...figures.flatMap((all) => [formatTime(median(all)), formatTime(Math.max(...all))]),
      (beside / quiet).toFixed(2),
    ];
  });
  return alignColumns([header, ...lines]);
}

/** Says where launches differ so much that the median tells little. */
function warningsOf({ starter, launches }: Row): string[] {
  return CONDITIONS.flatMap((condition) => {
    const later = launches[condition].map((launch) => launch.later);
    const ratio = Math.max(...later) / median(later);
    if (!(ratio > FAR_APART)) return [];
    return [
      `warning: ${starter.name}, ${condition}: the worst launch took ${ratio.toFixed(1)} times as long as the median one`,
    ];
  });
}
