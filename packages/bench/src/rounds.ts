import type { Contestant } from "./contestants.js";
import {
  type BatchTimes,
  combineRounds,
  type Measurement,
  parseBatchTimes,
} from "./measurement.js";
import type { Cell } from "./plan.js";

/** The outcome of a table's rounds. */
export interface Outcome {
  readonly measurements: readonly Measurement[];
  /** The contestants that could not finish, and why. */
  readonly failures: ReadonlyMap<Contestant, Error>;
}

const batchesIn = (plan: readonly Cell[]): number =>
  plan.reduce((sum, { batches }) => sum + batches, 0);

const batchesOf = (cells: readonly BatchTimes[]): number =>
  cells.reduce((sum, { times }) => sum + times.length, 0);

/**
 * Runs the contestants in turn, each once per round and in processes of its own, so that a
 * disturbance of the machine affects all of them. Each round begins with another contestant.
 */
export async function runRounds(
  contestants: readonly Contestant[],
  ranks: number,
  plan: readonly Cell[],
  rounds: number,
  onProgress: (text: string) => void,
): Promise<Outcome> {
  const finished = new Map<Contestant, BatchTimes[][]>();
  const failures = new Map<Contestant, Error>();
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const contestant = contestants[(round + turn) % contestants.length] as Contestant;
      if (failures.has(contestant)) continue;
      onProgress(`${ranks} ranks, round ${round + 1} of ${rounds}: ${contestant.name}`);
      try {
        const times = parseBatchTimes(await contestant.run(ranks, plan));
        if (batchesOf(times) !== batchesIn(plan)) throw new Error("did not answer every cell");
        finished.set(contestant, [...(finished.get(contestant) ?? []), times]);
      } catch (error) {
        failures.set(contestant, error as Error);
      }
    }
  }
  onProgress("");
  const measurements = [...finished]
    .filter(([contestant]) => !failures.has(contestant))
    .flatMap(([{ name }, ofRounds]) => combineRounds(name, ranks, ofRounds));
  return { measurements, failures };
}
