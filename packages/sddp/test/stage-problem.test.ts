/**
 * What a stage hands to the solver and what it reads from it, number by number, with a solver that answers whatever it is told. The case is a
 * random system with plants in cascade, blocks, two lags and uncertain loads.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { COST_SCALE, CutPool, loadCase } from "@cobre/sddp";
import {
  BasisState,
  type LinearProgram,
  type LpData,
  type LpSolver,
  type LpStatus,
  type RowData,
} from "@cobre/solver";
import { buildStage, type Model, StageProblem, shareModel } from "#internal";
import {
  generateSystem,
  lagsOf,
  type SmallSystem,
  withoutEquipment,
  withoutLaterFeatures,
  writeCase,
} from "./oracle/index.js";

/** A call of a setter: the first index and the numbers. */
type Bounds = readonly [first: number, lower: readonly number[], upper: readonly number[]];

/** Remembers what it is told; its solution is what a test puts there. */
class Recorder {
  readonly columnBounds: Bounds[] = [];
  readonly rowBounds: Bounds[] = [];
  readonly added: RowData[] = [];
  readonly primal: Float64Array;
  readonly reducedCosts: Float64Array;
  status: LpStatus = "optimal";
  closed = 0;
  readonly iterations = 7;
  readonly attempts = 2;
  readonly given: LpData;

  constructor(given: LpData) {
    this.given = given;
    const columns = given.cost.length;
    this.primal = Float64Array.from({ length: columns }, (_, j) => 3 + j / 8);
    this.reducedCosts = Float64Array.from({ length: columns }, (_, j) => 1000 + 7 * j);
  }

  get program(): LinearProgram {
    return this as unknown as LinearProgram;
  }
  solve() {
    return this.status;
  }
  solution() {
    return this;
  }
  data() {
    return this.given;
  }
  addRows(rows: RowData) {
    this.added.push(rows);
  }
  get rows() {
    return (
      this.given.rows.lower.length + this.added.reduce((sum, { lower }) => sum + lower.length, 0)
    );
  }
  setColumnBounds(first: number, lower: Float64Array, upper: Float64Array) {
    this.columnBounds.push([first, [...lower], [...upper]]);
  }
  setRowBounds(first: number, lower: Float64Array, upper: Float64Array) {
    this.rowBounds.push([first, [...lower], [...upper]]);
  }
  close() {
    this.closed++;
  }
}

/** The first system that has what these tests are about, with the method asked for. */
function systemWith(method: SmallSystem["method"]): SmallSystem {
  for (let seed = 1; seed < 5000; seed++) {
    const system = withoutLaterFeatures(withoutEquipment(generateSystem(seed)));
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

const STAGE = 1;

interface Setting {
  readonly model: Model;
  readonly problem: StageProblem;
  readonly recorder: Recorder;
}

const folder = mkdtempSync(join(tmpdir(), "cobre-stage-"));
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

async function open(
  method: SmallSystem["method"],
  stage = STAGE,
  floor: number | undefined = -5,
): Promise<Setting> {
  return problemOf(shareModel(new LocalCommunicator(), await caseWith(method)), stage, floor);
}

function problemOf(model: Model, stage: number, floor: number | undefined): Setting {
  let recorder: Recorder | undefined;
  const solver = {
    name: "highs-wasm",
    create: (data: LpData) => {
      recorder = new Recorder(data);
      return recorder.program;
    },
  } as unknown as LpSolver;
  const problem = new StageProblem(model, stage, floor, solver, join(folder, "failed"));
  return { model, problem, recorder: recorder as unknown as Recorder };
}

/** The first known column: the state, past inflows and inflows follow each other from there on. */
const firstKnown = ({ lp }: StageProblem) => lp.known[0];

const openingOf = ({ tree }: Model, opening: number, stage = STAGE) =>
  [tree.values, tree.offset(stage, opening)] as const;

/** A state in which every number is another one. */
const stateOf = ({ dimension }: Model) =>
  Float64Array.from({ length: 3 + dimension }, (_, i) => 20 + 1.25 * i);

function assertNear(actual: Iterable<number>, expected: readonly number[], what = ""): void {
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

for (const method of ["none", "penalty", "truncation", "truncation_with_penalty"] as const) {
  describe(`a stage with the inflow method ${method}`, () => {
    let setting: Setting;
    let state: Float64Array;
    before(async () => {
      setting = await open(method);
    });
    beforeEach(() => {
      const { problem, recorder, model } = setting;
      state = stateOf(model);
      problem.enter(state, 3);
      for (const list of [recorder.columnBounds, recorder.rowBounds, recorder.added])
        list.length = 0;
    });

    const isTruncating = method.startsWith("truncation");
    const hasSlack = method.endsWith("penalty");

    /** Σ ψ a and base + σ η of a plant, from the arrays of the model. */
    const terms = (h: number, opening: number) => {
      const { inflow, hydros, tree } = setting.model;
      const at = STAGE * hydros + h;
      let past = 0;
      for (let lag = 1; lag <= 2; lag++)
        past += inflow.psi[at * 2 + lag - 1] * state[3 + hydros * lag + h];
      const eta = tree.values[tree.offset(STAGE, opening) + h];
      return { past, own: inflow.base[at] + inflow.sigma[at] * eta, at };
    };

    for (const forCut of [false, true]) {
      it(`fixes the state and the inflows of an opening${forCut ? ", for a cut" : ""}`, () => {
        const { problem, recorder, model } = setting;
        // Dry enough for inflows below 0.
        for (const dry of [0, -40]) {
          for (let i = 3 + model.hydros; i < state.length; i++) state[i] += dry;
          problem.enter(state, 3);
          recorder.columnBounds.length = 0;
          if (forCut) problem.openForCut(...openingOf(model, 1));
          else problem.open(...openingOf(model, 1));
          const inflows = Array.from({ length: model.hydros }, (_, h) => {
            const { past, own, at } = terms(h, 1);
            const raises = isTruncating && past + own < 0 && model.inflow.sigma[at] !== 0;
            return raises ? 0 : past + own;
          });
          // The last call: elements have set what is theirs before.
          const [first, lower, upper] = recorder.columnBounds[recorder.columnBounds.length - 1];
          const others = recorder.columnBounds.slice(0, -1);
          assert.equal(first, firstKnown(problem));
          assertNear(lower, [...state.subarray(3), ...inflows]);
          assert.deepEqual(upper, lower);
          assert.equal(others.length, hasSlack ? 1 : 0);
          if (!hasSlack) continue;
          const limits = Array.from({ length: model.hydros }, (_, h) => {
            const { own, at } = terms(h, 1);
            const least = model.inflows.lowestLagTerm[at];
            const raised = isTruncating && least + own < 0 && model.inflow.sigma[at] !== 0;
            const lowest = raised ? 0 : least + own;
            return Math.max(0, -(forCut ? lowest : inflows[h]));
          });
          const [[slack, none, most]] = others;
          assert.equal(slack, problem.lp.family("inflow_penalty").column(0));
          assertNear(
            none,
            limits.map(() => 0),
          );
          assertNear(most, limits);
        }
      });
    }

    it("sets the loads of the opening", () => {
      const { problem, recorder, model } = setting;
      const { blocks } = problem.lp.balance("power");
      for (const opening of [1, 0]) {
        recorder.rowBounds.length = 0;
        problem.open(...openingOf(model, opening));
        const noise = model.tree.offset(STAGE, opening);
        const loads = model.study.system.buses.flatMap((_, bus) => {
          const at = model.noiseOfBus[bus];
          const load = model.load.load(STAGE, bus, at < 0 ? 0 : model.tree.values[noise + at]);
          const factors = model.study.loadFactors[STAGE];
          return Array.from({ length: blocks }, (_b, k) => load * factors[bus * blocks + k]);
        });
        const [[first, lower, upper], ...others] = recorder.rowBounds;
        assert.equal(others.length, 0);
        assert.equal(first, problem.lp.balance("power").first);
        assertNear(lower, loads);
        assert.deepEqual(upper, lower);
      }
    });

    it("has the slopes of the fixed columns, and those of inflows through their lags", () => {
      const { problem, recorder, model } = setting;
      const { hydros, dimension, inflow } = model;
      const fixed = firstKnown(problem);
      for (const sign of [1, -1]) {
        recorder.reducedCosts.forEach((_, j) => {
          recorder.reducedCosts[j] = sign * (10 + 7 * j);
        });
        problem.openForCut(...openingOf(model, 0));
        const gradient = new Float64Array(2 + dimension).fill(Number.NaN);
        const loss = problem.gradient(gradient, 2);
        const expected = [...recorder.reducedCosts.subarray(fixed, fixed + dimension)];
        let lost = 0;
        for (let h = 0; h < hydros; h++) {
          const { past, own, at } = terms(h, 0);
          const slope = recorder.reducedCosts[fixed + dimension + h];
          const [low, high] = [
            own + model.inflows.lowestLagTerm[at],
            own + model.inflows.highestLagTerm[at],
          ];
          let share = 1;
          if (isTruncating && inflow.sigma[at] > 0 && low < 0) {
            if (high <= 0) share = 0;
            else if (slope >= 0) share = past + own > 0 ? 1 : 0;
            else {
              share = high / (high - low);
              lost += slope * (share * (past + own - low) - Math.max(0, past + own));
            }
          }
          for (let lag = 1; lag <= 2; lag++)
            expected[hydros * lag + h] += inflow.psi[at * 2 + lag - 1] * slope * share;
        }
        assertNear(gradient.subarray(2), expected);
        assertNear([loss], [lost]);
      }
    });
  });
}

describe("the state at the end of a stage", () => {
  it("is the storage, then this stage's inflow, then the lags one further", async () => {
    const { problem, recorder, model } = await open("none");
    const { hydros, dimension } = model;
    const { columnLower, columnUpper } = problem.lp.data;
    const storage = problem.lp.family("storage").column(0);
    const inflow = problem.lp.family("inflow").column(0);
    const fixed = firstKnown(problem);
    for (let h = 0; h < hydros; h++) {
      const [least, most] = [columnLower[storage + h], columnUpper[storage + h]];
      recorder.primal[storage + h] = (least + most) / 2;
    }
    const states = new Float64Array(2 + dimension).fill(Number.NaN);
    problem.outgoing(states, 2);
    assert.deepEqual(
      [...states.subarray(2)],
      [
        ...recorder.primal.subarray(storage, storage + hydros),
        ...recorder.primal.subarray(inflow, inflow + hydros),
        // Lag 1 at the start of the stage is lag 2 at its end.
        ...recorder.primal.subarray(fixed + hydros, fixed + 2 * hydros),
      ],
    );
  });

  it("keeps the storage within its bounds, which the solver's rounding may exceed", async () => {
    const { problem, recorder, model } = await open("none");
    const { columnLower, columnUpper } = problem.lp.data;
    const storage = problem.lp.family("storage").column(0);
    const states = new Float64Array(model.dimension);
    for (const [bounds, off] of [
      [columnLower, -1e-7],
      [columnUpper, 1e-7],
      [columnLower, -5],
      [columnUpper, 5],
    ] as const) {
      for (let h = 0; h < model.hydros; h++)
        recorder.primal[storage + h] = bounds[storage + h] + off;
      problem.outgoing(states, 0);
      assert.deepEqual(
        [...states.subarray(0, model.hydros)],
        [...bounds.subarray(storage, storage + model.hydros)],
      );
    }
  });
});

describe("the costs of a stage", () => {
  it("are those of all columns but the future's, in $", async () => {
    const { problem, recorder } = await open("none");
    const { cost } = problem.lp.data;
    let expected = 0;
    cost.forEach((value, j) => {
      if (j !== problem.lp.theta) expected += value * recorder.primal[j];
    });
    assertNear([problem.immediateCost()], [expected * COST_SCALE]);
  });

  it("have something behind the last stage alone, discounted", async () => {
    const { problem, model } = await open("none");
    assert.equal(problem.costBehind(), 0);
    const last = await open("none", model.stages - 1);
    last.recorder.primal[last.problem.lp.theta] = 12;
    const { discount } = model.study.time;
    const kept = discount[model.stages - 1];
    discount[model.stages - 1] = 0.5;
    assert.equal(last.problem.costBehind(), 12 * 0.5 * COST_SCALE);
    discount[model.stages - 1] = kept;
    assert.equal((await open("none", model.stages - 2)).problem.costBehind(), 0);
  });
});

describe("the cuts of a stage", () => {
  it("are added once each, as θ - coefficients · state ≥ intercept", async () => {
    const { problem, recorder, model } = await open("none");
    const { theta, outgoing } = problem.lp;
    const pool = new CutPool(model.dimension);
    const cut = (from: number) =>
      Float64Array.from({ length: model.dimension }, (_, i) => (i === 1 ? 0 : from + i));
    problem.followCuts(pool);
    assert.equal(recorder.added.length, 0);
    pool.add(1, 0, 50, cut(1));
    pool.add(1, 1, 60, cut(2));
    problem.followCuts(pool);
    pool.add(2, 0, 70, cut(3));
    problem.followCuts(pool);
    problem.followCuts(pool);
    assert.equal(recorder.added.length, 2);
    const told = recorder.added.flatMap(({ lower, upper, starts, indices, values }) => {
      assert.equal(starts[0], 0);
      assert.equal(starts.length, lower.length + 1);
      assert.equal(values.length, indices.length);
      assert.equal(starts[lower.length], values.length);
      return [...lower].map((intercept, row) => {
        assert.equal(upper[row], Infinity);
        const [from, to] = [starts[row], starts[row + 1]];
        return [intercept, [...indices.subarray(from, to)], [...values.subarray(from, to)]];
      });
    });
    const others = Array.from({ length: model.dimension }, (_, i) => i).filter((i) => i !== 1);
    const expected = (intercept: number, from: number) => [
      intercept,
      [theta, ...others.map((i) => outgoing[i])],
      [1, ...others.map((i) => -(from + i))],
    ];
    assert.deepEqual(told, [expected(50, 1), expected(60, 2), expected(70, 3)]);
  });
});

describe("a solve", () => {
  const name = { phase: "backward", iteration: 3, scenario: 4, opening: 5 } as const;

  it("is counted", async () => {
    const { problem } = await open("none");
    problem.solve(name);
    problem.solve({ ...name, phase: "forward" });
    assert.equal(problem.solves, 2);
    assert.equal(problem.simplexIterations, 14);
    const counts = problem.statistics.take();
    assert.deepEqual(
      counts.map(({ phase, solves, simplexIterations, byAttempts }) => [
        phase,
        solves,
        simplexIterations,
        byAttempts,
      ]),
      [
        ["forward", 1, 7, [0, 1]],
        ["backward", 1, 7, [0, 1]],
      ],
    );
    assert.equal(
      problem.solvingMs,
      counts.reduce((sum, { ms }) => sum + ms, 0),
    );
    assert.ok(problem.solvingMs >= 0 && problem.solvingMs < 60_000);
  });

  it("that fails leaves a file named after it", async () => {
    const { problem, recorder, model } = await open("none");
    recorder.status = "infeasible";
    assert.throws(() => problem.solve(name), { kind: "SubproblemFailed" });
    const { id } = model.study.time.stages[STAGE];
    assert.deepEqual(readdirSync(join(folder, "failed")), [
      `stage_${id}_backward_iteration_3_scenario_4_opening_5.lp`,
    ]);
  });

  it("starts at first with all rows basic and every column at a bound", async () => {
    const { problem } = await open("none");
    const { columnLower, columnUpper, rows } = problem.lp.data;
    assert.deepEqual(
      [...problem.slackBasis.rows],
      Array.from(rows.lower, () => BasisState.basic),
    );
    const expected = Array.from(columnLower, (lower, j) => {
      if (lower > -Infinity) return BasisState.lower;
      return columnUpper[j] < Infinity ? BasisState.upper : BasisState.zero;
    });
    assert.deepEqual([...problem.slackBasis.columns], expected);
  });

  it("starts with a future cost that has no floor at zero", async () => {
    const { problem } = await open("none", STAGE, -Infinity);
    assert.equal(problem.slackBasis.columns[problem.lp.theta], BasisState.zero);
  });

  it("ends with its program", async () => {
    const { problem, recorder } = await open("none");
    problem.close();
    assert.equal(recorder.closed, 1);
    problem[Symbol.dispose]();
    assert.equal(recorder.closed, 2);
  });
});

describe("a system without plants", () => {
  it("has loads at the beginning of its noise", async () => {
    let seed = 1;
    let system = withoutLaterFeatures(withoutEquipment(generateSystem(seed)));
    const isUncertain = ({ stages }: SmallSystem["buses"][number]) => stages[STAGE].std > 0;
    while (system.stages.length < 2 || !system.buses.some(isUncertain))
      system = withoutLaterFeatures(withoutEquipment(generateSystem(++seed)));
    const directory = join(folder, "without-plants");
    writeCase({ ...system, hydros: [], boundary: null, treeSeed: null }, directory);
    const model = shareModel(new LocalCommunicator(), await loadCase(directory));
    assert.ok(model.noiseOfBus.includes(0));
    const { problem, recorder } = problemOf(model, STAGE, 0);
    problem.open(...openingOf(model, 0));
    const bus = model.noiseOfBus.indexOf(0);
    const noise = model.tree.values[model.tree.offset(STAGE, 0)];
    const { blocks } = problem.lp.balance("power");
    const factor = model.study.loadFactors[STAGE][bus * blocks];
    assert.equal(recorder.rowBounds.length, 1);
    const [[, loads]] = recorder.rowBounds;
    assertNear([loads[bus * blocks]], [model.load.load(STAGE, bus, noise) * factor]);
  });
});

describe("the program of a stage", () => {
  it("has a slack for every limit that is there, however small", async () => {
    const { model } = await open("none");
    const { hydros } = model.study;
    const limits = [
      [hydros.minOutflowM3s, "outflow_violation_below"],
      [hydros.minTurbinedM3s, "turbined_violation"],
      [hydros.minGenerationMw, "generation_violation"],
    ] as const;
    for (const [limit, family] of limits) {
      const kept = limit.values.slice();
      for (const [value, isThere] of [
        [0, false],
        [0.5, true],
        [3, true],
      ] as const) {
        limit.values.fill(value);
        const { columns } = buildStage(model, STAGE, 0).lp.family(family);
        assert.ok(columns.length > 0);
        assert.ok(
          columns.every((column) => column >= 0 === isThere),
          `${family} at ${value}`,
        );
      }
      limit.values.set(kept);
    }
  });

  it("lets a plant turbine that generates nothing", async () => {
    const { model } = await open("none");
    const { hydros } = model.study;
    const kept = hydros.maxGenerationMw.values.slice();
    hydros.maxGenerationMw.values.fill(0);
    const { productivity } = model.study.production;
    const keptProductivity = productivity.values.slice();
    productivity.set(STAGE, 0, 0);
    const { lp } = buildStage(model, STAGE, 0);
    const column = lp.family("turbined").column(0);
    assert.equal(lp.data.columnUpper[column], hydros.maxTurbinedM3s.at(STAGE, 0));
    hydros.maxGenerationMw.values.set(kept);
    productivity.values.set(keptProductivity);
  });

  it("has nothing behind it without a floor", async () => {
    const { problem } = await open("none", STAGE, -7);
    const { theta, data } = problem.lp;
    assert.deepEqual([data.columnLower[theta], data.columnUpper[theta]], [-7, Infinity]);
    const { lp: without } = buildStage((await open("none")).model, STAGE, undefined);
    const { columnLower, columnUpper } = without.data;
    assert.deepEqual([columnLower[without.theta], columnUpper[without.theta]], [0, 0]);
  });
});
