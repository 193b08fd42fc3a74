/** A stage of a random system with plants in cascade, blocks, two lags and uncertain loads, with a solver that records what it is told. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { loadCase } from "@cobre/sddp";
import { type DemandRules, type Model, StageProblem, shareModel } from "#internal";
import {
  generateSystem,
  lagsOf,
  type SmallSystem,
  withoutEquipment,
  withoutLaterFeatures,
  writeCase,
} from "../oracle/index.js";
import { type Recorder, recordingSolver } from "./recorded-solver.js";

/** A random system of the plainest kind. */
export const plainSystem = (seed: number): SmallSystem =>
  withoutLaterFeatures(withoutEquipment(generateSystem(seed)));

/** The first system that has what these tests are about, with the method asked for. */
function systemWith(method: SmallSystem["method"]): SmallSystem {
  for (let seed = 1; seed < 5000; seed++) {
    const system = plainSystem(seed);
    const isRich =
      system.method === method &&
      system.treeSeed === null &&
      system.hydros.length >= 2 &&
      system.buses.length >= 2 &&
      lagsOf(system) === 2 &&
      system.stages.length >= 3 &&
      system.stages[1].hours.length >= 2 &&
      system.stages[1].openings >= 2 &&
      system.buses.some(({ stages }) => stages[1].std > 0) &&
      system.hydros.every(({ stages }) => stages[1].coefficients.length === 2);
    if (isRich) return system;
  }
  throw new Error(`no system with ${method}`);
}

export const STAGE = 1;

export interface Setting {
  readonly model: Model;
  readonly problem: StageProblem;
  readonly recorder: Recorder;
}

/** For cases and failed programs; gone after the tests. */
export const folder = mkdtempSync(join(tmpdir(), "cobre-stage-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const cases = new Map<string, Promise<Case>>();

function caseWith(method: SmallSystem["method"]): Promise<Case> {
  const known = cases.get(method);
  if (known !== undefined) return known;
  const directory = join(folder, method);
  writeCase(systemWith(method), directory);
  const loaded = loadCase(directory);
  cases.set(method, loaded);
  return loaded;
}

export async function open(
  method: SmallSystem["method"],
  stage = STAGE,
  floor: number | undefined = -5,
  demand?: DemandRules,
): Promise<Setting> {
  const model = shareModel(new LocalCommunicator(), await caseWith(method));
  return problemOf(model, stage, floor, demand);
}

export function problemOf(
  model: Model,
  stage: number,
  floor: number | undefined,
  demand?: DemandRules,
): Setting {
  const { solver, last } = recordingSolver();
  const problem = new StageProblem(model, stage, floor, solver, join(folder, "failed"), demand);
  return { model, problem, recorder: last() };
}

/** The first known column: the state, past inflows and inflows follow each other from there on. */
export const firstKnown = ({ lp }: StageProblem) => lp.known[0];

export const openingOf = ({ tree }: Model, opening: number, stage = STAGE) =>
  [tree.values, tree.offset(stage, opening)] as const;

/** A state in which every number is another one. */
export const stateOf = ({ dimension }: Model) =>
  Float64Array.from({ length: 3 + dimension }, (_, i) => 20 + 1.25 * i);

export function assertNear(actual: Iterable<number>, expected: readonly number[], what = ""): void {
  const values = [...actual];
  assert.equal(values.length, expected.length, what);
  values.forEach((value, i) => {
    const size = Math.max(1, Math.abs(expected[i]));
    assert.ok(
      Math.abs(value - expected[i]) <= 1e-12 * size,
      `${what} ${i}: ${value}, not ${expected[i]}`,
    );
  });
}
