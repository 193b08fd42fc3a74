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

/**
 * The lines of a table with the seconds to each of the marks, and to the target, and lines that compare ours with theirs.
 *
 * @param marks iterations; the last one ends the training
 */
export function describe(outcomes: Outcomes, workers: number, marks: readonly number[]): string[] {
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
        ...["to the target", "bound", "LPs", "simplex iterations", "peak MiB"],
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
    const [mine, theirs] = [secondsTo(made, last), likewise && secondsTo(likewise[1], last)];
    const toEnd =
      mine === undefined || theirs === undefined
        ? ""
        : `; ${(mine / theirs).toFixed(2)} of that of ${likewise?.[0].name} to iteration ${last}`;
    return `${name}: ${toTarget}${toEnd}`;
  });
}

function secondsTo(made: readonly TrainingOutcome[], iteration: number): number | undefined {
  return medianOf(made.map(({ trajectory }) => secondsToIteration(trajectory, iteration)));
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
