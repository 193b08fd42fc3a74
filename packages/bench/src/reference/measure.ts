/**
 * Training beside the Rust program of the Cobre project: the same example, the same paths, in turn. First a small part of it until both have
 * converged, to see that it is the same problem; then the whole example, for so many iterations.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Selection } from "../training/selection.js";
import {
  type TrainingContestant,
  type TrainingSetting,
  trainingContestants,
} from "./contestants.js";
import { describe, type Outcomes } from "./describe.js";
import { type ExampleCase, readExample } from "./example-case.js";
import { findReference } from "./find-program.js";
import { sameProblem } from "./variant.js";

const EXAMPLE = fileURLToPath(new URL("../../../../examples/cases/four-regions", import.meta.url));
const LONG = { iterations: 120, marks: [40], workers: [1, 2], rounds: 3, scenarios: 100 };
const QUICK = { iterations: 4, marks: [2], workers: [1, 2], rounds: 1, scenarios: 4 };
/** So few paths that training finds the optimum: few stages with their openings, and all stages with one. */
const AGREEMENTS = {
  quick: [{ stages: 2, openings: 3 }],
  long: [{ stages: 4, openings: 3 }, { openings: 1 }],
};
const CONVERGED = 90;
const SAME_BOUND = 1e-7;

export interface ReferenceOptions {
  readonly quick: boolean;
  /** Launches of each contestant; 3 unless it was asked for. */
  readonly rounds: number | undefined;
  /** `undefined`: none, and the one that the Rust program is fastest with. */
  readonly selections: readonly Selection[] | undefined;
}

type Say = (text: string) => void;

/** Returns whether everything ran, and both programs agreed. */
export async function runBesideReference(options: ReferenceOptions, say: Say): Promise<boolean> {
  const size = options.quick ? QUICK : LONG;
  const rounds = options.rounds ?? size.rounds;
  const reference = await findReference();
  if ("missing" in reference) {
    say(`\nnot run: cobre-rs: ${reference.missing}`);
    return false;
  }
  say(`\ntraining beside cobre-rs ${reference.version} (${reference.command.join(" ")})`);
  const { selections = ["none", "level1"] } = options;
  const contestants = await trainingContestants(reference, selections, say);
  const example = readExample(EXAMPLE);
  let isComplete = true;
  for (const part of AGREEMENTS[options.quick ? "quick" : "long"]) {
    const agree = await tellAgreement(contestants, sameProblem(example, part), say);
    isComplete &&= agree;
  }
  for (const workers of size.workers) {
    const source = sameProblem(example);
    const { iterations, marks, scenarios } = size;
    const setting = { workers, iterations, scenarios, rounds };
    const { outcomes, failed } = await inTurn(contestants, source, setting, say);
    isComplete &&= failed === 0;
    for (const text of describe(outcomes, { workers, marks: [...marks, iterations], scenarios })) {
      say(text);
    }
  }
  return isComplete;
}

/** Trains so long that both have converged. Before that, bounds may differ: where an optimum is not unique, the programs choose as they like. */
async function tellAgreement(
  contestants: readonly TrainingContestant[],
  source: ExampleCase,
  say: Say,
): Promise<boolean> {
  const ofEach = [true, false].flatMap(
    (isReference) => contestants.find((one) => one.isReference === isReference) ?? [],
  );
  const setting = { workers: 1, iterations: CONVERGED, scenarios: 0, rounds: 1 };
  const { outcomes, failed } = await inTurn(ofEach, source, setting, say);
  if (failed > 0) return false;
  const [theirs = Number.NaN, ours = Number.NaN] = ofEach.map(
    (one) => outcomes.get(one)?.[0]?.trajectory.at(-1)?.lowerBound,
  );
  const difference = Math.abs(theirs - ours) / Math.abs(theirs);
  const isSame = difference <= SAME_BOUND;
  const { stages } = source.json["stages.json"];
  say(
    `${stages.length} stages, openings ${stages[0]?.num_openings}, iteration ${CONVERGED}: bound of cobre-rs ${theirs.toPrecision(14)}, ours ${ours.toPrecision(14)}, ${difference.toExponential(1)} apart: ${isSame ? "the same problem" : "NOT the same problem"}`,
  );
  return isSame;
}

/** Each contestant once a round, every round beginning with another one. One that fails is left out from then on. */
async function inTurn(
  contestants: readonly TrainingContestant[],
  source: ExampleCase,
  { rounds, ...setting }: Omit<TrainingSetting, "folder"> & { readonly rounds: number },
  say: Say,
): Promise<{ readonly outcomes: Outcomes; readonly failed: number }> {
  const outcomes: Outcomes = new Map(contestants.map((contestant) => [contestant, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const contestant = contestants[(round + turn) % contestants.length] as TrainingContestant;
      const made = outcomes.get(contestant);
      if (made === undefined) continue;
      const folder = mkdtempSync(join(tmpdir(), "cobre-bench-reference-"));
      try {
        made.push(await contestant.train(source, { folder, ...setting }));
      } catch (error) {
        say(`failed: ${contestant.name}: ${(error as Error).message.trim()}`);
        outcomes.delete(contestant);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  }
  return { outcomes, failed: contestants.length - outcomes.size };
}
