/**
 * Cuts beside the cost they stand for. A cut must not lie above the cost anywhere, and must touch it where it was made. A little to the
 * left and to the right of that place, this leaves only slopes between those of the cost on both sides.
 */

import { LocalCommunicator } from "@cobre/comm";
import { COST_SCALE, type CutPool } from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import type { Dice } from "@cobre/testing/fuzz";
import { Exchange, shareModel, Workspace } from "#internal";
import { hydrosById, type SmallStage } from "../oracle/index.js";
import { type InflowRanges, inflowRangesOf, pastRange } from "./inflow-ranges.js";
import type { TrainedSystem } from "./small-run.js";
import { loadsOf } from "./stage-data.js";
import { StageProgram } from "./stage-program.js";
import { roundingOf, SOLVED } from "./tables.js";

/** How far the neighbours are, in hm³ and m³/s. The smaller, the more of the noise of the solver is in the differences. */
const STEP = 1e-3;
/** How much longer the step is that confirms what was found. */
const LONGER = 100;
/** Of a slope: the noise of the solver in the differences. */
const NOISE = 1e-4;

/** At how many states of each stage all cuts are compared with the cost. */
const RANDOM_STATES = 3;

/** A cut around the state in which it was made, in $. The components of a state are storages, then past inflows, lag by lag. */
interface Tangent {
  readonly what: string;
  readonly stage: number;
  readonly state: readonly number[];
  /** At the state. */
  readonly value: number;
  readonly slopes: readonly number[];
}

/** What the openings of a stage cost from any state, as the description has it. */
class StageCosts implements Disposable {
  readonly stage: number;
  readonly ranges: InflowRanges;
  private readonly trained: TrainedSystem;
  private readonly program: StageProgram;

  constructor(trained: TrainedSystem, ranges: InflowRanges, stage: number, solver: LpSolver) {
    this.trained = trained;
    this.ranges = ranges;
    this.stage = stage;
    this.program = new StageProgram(solver, trained.stages[stage], trained.futures[stage]);
  }

  /**
   * The cost of one opening. Water may be added up to what the lowest inflow lacks that the opening can bring: the same in every
   * state, because the cost would not be convex otherwise.
   */
  ofOpening(opening: number, state: readonly number[]): number {
    const { system, lags } = this.trained;
    const hydros = hydrosById(system);
    const count = hydros.length;
    const past = Array.from({ length: lags }, (_, lag) =>
      state.slice(count * (1 + lag), count * (2 + lag)),
    );
    const isAdded = system.method.endsWith("penalty");
    const raised = (h: number, natural: number) =>
      this.ranges[this.stage][h].isRaised ? Math.max(0, natural) : natural;
    return this.program.cost({
      storage: state.slice(0, count),
      lags: past,
      inflow: hydros.map(({ stages }, h) => {
        const { rule } = this.ranges[this.stage][h];
        const known = rule.weights.reduce((sum, w, lag) => sum + w * past[lag][h], rule.level);
        return raised(h, known + rule.deviation * stages[this.stage].noise[opening]);
      }),
      addedLimit: hydros.map((_, h) => {
        const [lowest] = this.ranges[this.stage][h].natural[opening];
        return isAdded ? Math.max(0, -raised(h, lowest)) : 0;
      }),
      loads: loadsOf(system, this.stage, opening),
    });
  }

  /** The cost of all openings, as the stage before weighs them. */
  ofAll(state: readonly number[]): number {
    const { stages, compat } = this.trained.system;
    const costs = Array.from({ length: stages[this.stage].openings }, (_, opening) =>
      this.ofOpening(opening, state),
    );
    return riskOf(stages[this.stage - 1], compat, costs);
  }

  /** Whether the inflow of a plant is 0 from some states and not from others: no cut can follow that by past inflows. */
  hasKink(opening: number, h: number): boolean {
    const { isRaised, natural, rule } = this.ranges[this.stage][h];
    const [low, high] = natural[opening];
    return isRaised && low < 0 && high > 0 && rule.weights.some((weight) => weight !== 0);
  }

  hasAnyKink(): boolean {
    const { openings } = this.trained.system.stages[this.stage];
    return this.ranges[this.stage].some((_, h) =>
      Array.from({ length: openings }, (_o, opening) => opening).some((o) => this.hasKink(o, h)),
    );
  }

  /** Whether paths can bring these past inflows. */
  isReachable(state: readonly number[]): boolean {
    const { system, lags } = this.trained;
    const count = system.hydros.length;
    return Array.from({ length: lags * count }, (_, i) => i).every((i) => {
      const lag = 1 + Math.floor(i / count);
      const [low, high] = pastRange(system, this.ranges, this.stage, lag, i % count);
      return state[count + i] >= low && state[count + i] <= high;
    });
  }

  [Symbol.dispose](): void {
    this.program[Symbol.dispose]();
  }
}

/** (1 - λ) · mean + λ · CVaR_α, which is the least u + mean of max(0, cost - u) / α. Cobre 0.5 has CVaR alone, with another α. */
function riskOf({ risk }: SmallStage, compat: boolean, costs: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  if (risk === null) return mean(costs);
  const lambda = compat ? 1 : risk.lambda;
  const alpha = compat ? 1 / (1 - risk.lambda + risk.lambda / risk.alpha) : risk.alpha;
  const excess = (u: number) => mean(costs.map((cost) => Math.max(0, cost - u))) / alpha;
  const cvar = Math.min(...costs.map((u) => (costs.includes(Infinity) ? Infinity : u + excess(u))));
  return (1 - lambda) * mean(costs) + lambda * cvar;
}

/** Checks the cuts of the last iteration where they were made. The stages behind them have not changed since. */
export function checkNewCuts(trained: TrainedSystem, solver: LpSolver): void {
  const { policy, futures } = trained;
  const { points, pools, iteration } = policy;
  const ranges = inflowRangesOf(trained.system, trained.lags);
  for (let stage = 1; stage < futures.length; stage++) {
    using costs = new StageCosts(trained, ranges, stage, solver);
    const pool = pools[stage - 1];
    for (let slot = 0; slot < pool.count; slot++) {
      if (pool.iteration(slot) !== iteration) continue;
      const pass = pool.forwardPass(slot);
      const offset = points.stateOffset(pass, stage);
      const state = [...points.values.subarray(offset, offset + points.dimension)];
      const slopes = state.map((_, i) => pool.coefficient(slot, i) * COST_SCALE);
      const what = `cut of forward pass ${pass}`;
      const tangent = { what, stage, state, value: cutAt(pool, slot, state), slopes };
      checkTangent(trained, costs, tangent, (at) => costs.ofAll(at), costs.hasAnyKink());
    }
  }
}

/** Checks that no cut lies above the cost, at random states. */
export function checkAllCuts(trained: TrainedSystem, solver: LpSolver, dice: Dice): void {
  const { policy, futures, system } = trained;
  const ranges = inflowRangesOf(system, trained.lags);
  for (let stage = 1; stage < futures.length; stage++) {
    using costs = new StageCosts(trained, ranges, stage, solver);
    const pool = policy.pools[stage - 1];
    for (let i = 0; i < RANDOM_STATES; i++) {
      const state = randomState(trained, ranges, stage, dice);
      const cost = costs.ofAll(state);
      for (let slot = 0; slot < pool.count; slot++) {
        const value = cutAt(pool, slot, state);
        if (value <= cost + SOLVED * Math.max(1, Math.abs(cost))) continue;
        throw new Error(
          `seed ${system.seed}, stage_id ${system.stages[stage].id}, cut ${slot} at the state ${state.join(" ")}: ${value}, must be at most ${cost}, the cost`,
        );
      }
    }
  }
}

function cutAt(pool: CutPool, slot: number, state: readonly number[]): number {
  const value = state.reduce(
    (sum, component, i) => sum + pool.coefficient(slot, i) * component,
    pool.intercept(slot),
  );
  return value * COST_SCALE;
}

/** Checks what {@link StageProblem} says of each opening, from a random state. */
export function checkStageSlopes(
  trained: TrainedSystem,
  folder: string,
  solver: LpSolver,
  dice: Dice,
): void {
  const { source, policy, system } = trained;
  using comm = new LocalCommunicator();
  using model = shareModel(comm, source);
  using workspace = new Workspace(model, solver, new Exchange(comm), folder, policy.pools);
  const ranges = inflowRangesOf(system, trained.lags);
  for (let stage = 1; stage < model.stages; stage++) {
    using costs = new StageCosts(trained, ranges, stage, solver);
    const problem = workspace.problems[stage];
    const state = randomState(trained, ranges, stage, dice);
    for (let opening = 0; opening < system.stages[stage].openings; opening++) {
      problem.enter(Float64Array.from(state), 0);
      problem.openForCut(model.tree.values, model.tree.offset(stage, opening));
      problem.startFrom(problem.slackBasis);
      problem.solve({ phase: "backward", iteration: 0, scenario: 0, opening });
      const gradient = new Float64Array(model.dimension);
      const loss = problem.gradient(gradient, 0);
      const what = `opening ${opening}`;
      const value = (problem.program.objective + loss) * COST_SCALE;
      const slopes = [...gradient].map((slope) => slope * COST_SCALE);
      const hasKink = system.hydros.some((_, h) => costs.hasKink(opening, h));
      const cost = (at: readonly number[]) => costs.ofOpening(opening, at);
      checkTangent(trained, costs, { what, stage, state, value, slopes }, cost, hasKink);
    }
  }
}

/** A state in which a stage can begin, often at a limit. */
function randomState(
  { system, stages, lags }: TrainedSystem,
  ranges: InflowRanges,
  stage: number,
  dice: Dice,
): readonly number[] {
  const between = (low: number, high: number) =>
    low + (high - low) * dice.pick([0, 1, 0.5, dice.below(1000) / 1000, dice.below(1000) / 1000]);
  const storages = stages[stage - 1].hydros.map(({ bounds, isSoft }) =>
    between(isSoft ? 0 : bounds.minStorage, bounds.maxStorage),
  );
  const past = Array.from({ length: lags }, (_, lag) =>
    storages.map((_s, h) => between(...pastRange(system, ranges, stage, lag + 1, h))),
  );
  return [...storages, ...past.flat()];
}

function checkTangent(
  { system }: TrainedSystem,
  costs: StageCosts,
  { what, stage, state, value, slopes }: Tangent,
  cost: (state: readonly number[]) => number,
  hasKink: boolean,
): void {
  const place = `seed ${system.seed}, stage_id ${system.stages[stage].id}, ${what}`;
  const here = cost(state);
  const scale = SOLVED * Math.max(1, Math.abs(here));
  // Where an inflow is raised to 0 from some states only, a cut may have to lie below the cost.
  const isLow = value < here - scale;
  if (value > here + scale || (isLow && !hasKink)) {
    throw new Error(`${place}: the cut is ${value} at its own state, must be the cost ${here}`);
  }
  const ids = hydrosById(system).map(({ id }) => id);
  slopes.forEach((slope, i) => {
    const lag = Math.floor(i / ids.length);
    /** The slope of the cost over a step, if the slope of the cut contradicts it. */
    const contradiction = (step: number): number | undefined => {
      const beside = state.map((component, at) => (at === i ? component + step : component));
      if (hasKink && lag > 0 && !costs.isReachable(beside)) return undefined;
      const there = cost(beside);
      if (there === Number.POSITIVE_INFINITY) return undefined;
      const bound = (there - value) / step;
      const tolerance =
        NOISE * Math.max(1, Math.abs(slope), Math.abs(bound)) + roundingOf(here, Math.abs(step));
      const isWrong = step > 0 ? slope > bound + tolerance : slope < bound - tolerance;
      return isWrong ? bound : undefined;
    };
    for (const step of [-STEP, STEP]) {
      const bound = contradiction(step);
      // The cost is convex, so a wrong slope is wrong over a longer step, too. What the solver lets pass times a high penalty is not.
      if (bound === undefined || contradiction(LONGER * step) === undefined) continue;
      const component = lag === 0 ? "storage" : `lag ${lag}`;
      const side = step > 0 ? "at most" : "at least";
      throw new Error(
        `${place}, slope by ${component} of hydro ${ids[i % ids.length]}: ${slope}, must be ${side} ${bound}, the slope of the cost`,
      );
    }
  });
}
