/** The same case by the Rust program of the Cobre project. It starts without a bound on later costs, so only times compare. */
import { referenceContestant } from "../reference/contestants.js";
import { readExample } from "../reference/example-case.js";
import { findReference } from "../reference/find-program.js";
import type { Selection } from "../training/selection.js";

export interface BesideRequest {
  readonly directory: string;
  /** Where it may write. */
  readonly folder: string;
  readonly iterations: number;
  readonly workers: number;
  readonly selection: Selection;
}

/** Tells what each iteration took. Returns whether it ran. */
export async function trainBeside(
  { directory, folder, iterations, workers, selection }: BesideRequest,
  say: (text: string) => void,
): Promise<boolean> {
  const reference = await findReference();
  if ("missing" in reference) {
    say(`  not run: cobre-rs: ${reference.missing}`);
    return false;
  }
  const contestant = referenceContestant(reference, selection);
  say(`  ${contestant.name}, ${workers} threads`);
  const source = readExample(directory);
  const setting = { folder, iterations, workers, scenarios: 0 };
  const { trajectory, peaksMiB } = await contestant.train(source, setting);
  let before = { seconds: 0, lps: 0, simplexIterations: 0 };
  for (const moment of trajectory) {
    const lps = moment.lps - before.lps;
    const each = (moment.simplexIterations - before.simplexIterations) / lps;
    say(
      `  iteration ${moment.iteration}: ${(moment.seconds - before.seconds).toFixed(1)} s; ${lps} LPs, ${each.toFixed(1)} simplex iterations each; bound ${moment.lowerBound.toPrecision(8)}`,
    );
    before = moment;
  }
  say(`  peak ${(1.048576 * (peaksMiB[0] ?? Number.NaN)).toFixed(0)} MB`);
  return true;
}
