/** The figures of both programs as a table, and how they compare. */
import { median } from "../measurement.js";
import { alignColumns } from "../table.js";
import type { TrainingContestant, TrainingOutcome } from "./contestants.js";
import { secondsToBound, secondsToIteration } from "./trajectory.js";

/** What each contestant did, a round each. */
export type Outcomes = Map<TrainingContestant, TrainingOutcome[]>;

/** The run of theirs that is done first: its bound at the end is the target of all. */
interface Best {
  readonly name: string;
  readonly seconds: number;
  readonly target: number;
}

export interface Described {
  readonly workers: number;
  /** Iterations; the last one ends the training. */
  readonly marks: readonly number[];
  /** How many were simulated after training. */
  readonly scenarios: number;
}

/** The lines of a table with the seconds to each of the marks, to the target and of the simulation, and lines that compare ours with theirs. */
export function describe(outcomes: Outcomes, { workers, marks, scenarios }: Described): string[] {
  const last = marks.at(-1) ?? 0;
  const best = bestOf(outcomes, last);
  const rounds = [...outcomes.values()][0]?.length ?? 0;
  const who = workers === 1 ? "one process" : `${workers} ranks, or threads of cobre-rs`;
  const often = rounds === 1 ? "one round" : `medians of ${rounds} rounds`;
  const target =
    best && `; target: ${best.target.toPrecision(8)}, the bound of ${best.name} at the end`;
  return [
    `\nfour regions, ${last} iterations, ${who}; seconds of training, ${often}${target ?? ""}`,
    alignColumns([
      [
        "",
        ...marks.map((mark) => `to iteration ${mark}`),
        "to the target",
        `${scenarios} scenarios`,
        ...["bound", "LPs", "simplex iterations", "peak MiB"],
      ],
      ...[...outcomes].map(([{ name }, made]) => [name, ...cellsOf(made, marks, best)]),
    ]),
    ...comparisons(outcomes, last, best),
  ];
}

function bestOf(outcomes: Outcomes, last: number): Best | undefined {
  return [...outcomes]
    .flatMap(([{ name, isReference }, made]) => {
      const seconds = secondsTo(made, last);
      const target = made[0]?.trajectory.at(-1)?.lowerBound;
      const isDone = isReference && seconds !== undefined && target !== undefined;
      return isDone ? [{ name, seconds, target }] : [];
    })
    .sort((a, b) => a.seconds - b.seconds)[0];
}

function cellsOf(
  made: readonly TrainingOutcome[],
  marks: readonly number[],
  best: Best | undefined,
): string[] {
  const end = made[0]?.trajectory.at(-1);
  const peak = medianOf(made.map(({ peaksMiB }) => peaksMiB.reduce((sum, one) => sum + one, 0)));
  return [
    ...marks.map((mark) => inSeconds(secondsTo(made, mark))),
    inSeconds(best && secondsToTarget(made, best)),
    inSeconds(secondsToSimulate(made)),
    end?.lowerBound.toPrecision(8) ?? "",
    String(end?.lps ?? ""),
    String(end?.simplexIterations ?? ""),
    peak?.toFixed(0) ?? "",
  ];
}

function comparisons(outcomes: Outcomes, last: number, best: Best | undefined): string[] {
  const ours = [...outcomes].filter(([{ isReference }]) => !isReference);
  return ours.map(([{ name, selection }, made]) => {
    const reached = best && secondsToTarget(made, best);
    const toTarget =
      best === undefined || reached === undefined
        ? `does not reach the target in ${last} iterations`
        : `${(reached / best.seconds).toFixed(2)} of the time of ${best.name} to the target`;
    const likewise = [...outcomes].find(([one]) => one.isReference && one.selection === selection);
    if (likewise === undefined) return `${name}: ${toTarget}`;
    const toEnd = ratioOf(secondsTo(made, last), secondsTo(likewise[1], last));
    const simulating = ratioOf(secondsToSimulate(made), secondsToSimulate(likewise[1]));
    return `${name}: ${toTarget}; beside ${likewise[0].name} ${toEnd} to iteration ${last}, ${simulating} to simulate and write`;
  });
}

function secondsTo(made: readonly TrainingOutcome[], iteration: number): number | undefined {
  return medianOf(made.map(({ trajectory }) => secondsToIteration(trajectory, iteration)));
}

function secondsToSimulate(made: readonly TrainingOutcome[]): number | undefined {
  return medianOf(made.map(({ simulationSeconds }) => simulationSeconds));
}

function ratioOf(mine: number | undefined, theirs: number | undefined): string {
  return mine === undefined || theirs === undefined ? "unknown" : (mine / theirs).toFixed(2);
}

function secondsToTarget(made: readonly TrainingOutcome[], { target }: Best): number | undefined {
  return medianOf(made.map(({ trajectory }) => secondsToBound(trajectory, target)));
}

/** `undefined` if one of the values is missing: a median of the others would flatter. */
function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 || known.length < values.length ? undefined : median(known);
}

function inSeconds(value: number | undefined): string {
  return value === undefined ? "never" : value.toFixed(2);
}
