import {
  type Basis,
  BasisState,
  type LinearProgram,
  type LpData,
  type LpSolver,
  type RowData,
  solveSubproblem,
} from "@cobre/solver";
import { NON_NEGATIVITY } from "@cobre/stochastic";
import type { CutPool } from "../cuts/cut-pool.js";
import { COST_SCALE, type Model } from "../model.js";
import { type SolvePhase, SolveStatistics } from "./solve-statistics.js";
import { buildStageLp, type StageLp } from "./stage-lp.js";

/** Which of many solves this is; it names the file of a subproblem that cannot be solved. */
export interface SolveName {
  readonly phase: SolvePhase;
  readonly iteration: number;
  readonly scenario: number;
  readonly opening: number;
}

/**
 * The program of one stage, solved for one state and opening after another: {@link enter} a state, {@link open} an opening,
 * {@link solve}.
 */
export class StageProblem implements Disposable {
  readonly stage: number;
  readonly lp: StageLp;
  readonly program: LinearProgram;
  /** From which the first solve starts. */
  readonly slackBasis: Basis;
  /** Storage, past inflows and inflow, as the fixed columns have them. */
  readonly fixed: Float64Array;
  readonly statistics: SolveStatistics;
  solves = 0;
  simplexIterations = 0;
  /** Milliseconds in the solver. */
  solvingMs = 0;
  private readonly model: Model;
  private readonly solver: LpSolver;
  private readonly failureDirectory: string;
  private readonly hasUncertainLoad: boolean;
  private readonly loads: Float64Array;
  private readonly minStorage: Float64Array;
  private readonly maxStorage: Float64Array;
  private readonly truncates: boolean;
  /** How many cuts of the stage's pool are rows of the program. */
  private cuts = 0;

  /** @param hasFuture whether anything comes behind the stage that costs */
  constructor(
    model: Model,
    stage: number,
    hasFuture: boolean,
    solver: LpSolver,
    failureDirectory: string,
  ) {
    this.model = model;
    this.stage = stage;
    this.solver = solver;
    this.failureDirectory = failureDirectory;
    this.statistics = new SolveStatistics(stage);
    this.lp = buildStageLp(model, stage, hasFuture);
    const { data } = this.lp;
    this.program = solver.create(data, {
      maxAttempts: model.config.training.retryMaxAttempts,
      edgeWeights: "devex", // every unit of work starts from a basis, where exact weights would cost a solve for each row
    });
    this.slackBasis = slackBasisOf(data);
    this.fixed = new Float64Array(model.dimension + model.hydros);
    const buses = model.noiseOfBus.length;
    this.loads = data.rows.lower.slice(this.lp.power, this.lp.power + buses * this.lp.blocks);
    this.hasUncertainLoad = model.noiseOfBus.some((at) => at >= 0);
    this.minStorage = data.columnLower.slice(this.lp.storage, this.lp.storage + model.hydros);
    this.maxStorage = data.columnUpper.slice(this.lp.storage, this.lp.storage + model.hydros);
    this.truncates = NON_NEGATIVITY[model.config.inflowNonNegativity.method].truncates;
  }

  /** The state at the start of the stage, which stands at `offset` of `states`. */
  enter(states: Float64Array, offset: number): void {
    for (let i = 0; i < this.model.dimension; i++) this.fixed[i] = states[offset + i];
  }

  /** What an opening brings, given the state that was entered. */
  open(opening: number): void {
    const { model, stage, fixed, lp } = this;
    const { tree, inflow, hydros, dimension } = model;
    const noise = tree.offset(stage, opening);
    for (let h = 0; h < hydros; h++) {
      // Plants come first in a noise vector, by id as they do here.
      const eta = tree.values[noise + h];
      const past = inflow.lagTerm(stage, h, fixed, hydros);
      const own = this.truncates
        ? inflow.truncatedNoiseTerm(stage, h, eta, past)
        : inflow.noiseTerm(stage, h, eta);
      fixed[dimension + h] = past + own;
    }
    this.program.setColumnBounds(lp.fixed, fixed, fixed);
    if (!this.hasUncertainLoad) return;
    const K = lp.blocks;
    const factors = model.study.loadFactors[stage];
    model.noiseOfBus.forEach((at, bus) => {
      if (at < 0) return;
      const load = model.load.load(stage, bus, tree.values[noise + at]);
      for (let k = 0; k < K; k++) this.loads[bus * K + k] = load * factors[bus * K + k];
    });
    this.program.setRowBounds(lp.power, this.loads, this.loads);
  }

  /** The load of a bus in a block, as opened. */
  load(bus: number, block: number): number {
    return this.loads[bus * this.lp.blocks + block];
  }

  /** Solves to the optimum; an LP that has none is written to disk and named. */
  solve(name: SolveName): void {
    const { program, stage } = this;
    const began = performance.now();
    solveSubproblem(this.solver.name, program, () => {
      const { phase, iteration, scenario, opening } = name;
      const id = this.model.study.time.stages[stage].id;
      return {
        name: `stage_${id}_${phase}_iteration_${iteration}_scenario_${scenario}_opening_${opening}`,
        directory: this.failureDirectory,
      };
    });
    const ms = performance.now() - began;
    this.solvingMs += ms;
    this.solves++;
    this.simplexIterations += program.iterations;
    this.statistics.add(name.phase, program.attempts, program.iterations, ms);
  }

  /** The derivative of the cost by each component of the state that was entered. */
  gradient(gradient: Float64Array, offset: number): void {
    const { model, lp, stage } = this;
    const { hydros, lags, dimension, inflow } = model;
    const { reducedCosts } = this.program.solution();
    for (let i = 0; i < dimension; i++) gradient[offset + i] = reducedCosts[lp.fixed + i];
    for (let h = 0; h < hydros; h++) {
      const byInflow = reducedCosts[lp.inflow + h];
      for (let lag = 0; lag < lags; lag++) {
        const psi = inflow.psi[(stage * hydros + h) * lags + lag];
        gradient[offset + hydros * (1 + lag) + h] += psi * byInflow;
      }
    }
  }

  /** The state at the end of the stage; rounding of the solver does not leave the bounds of storage. */
  outgoing(states: Float64Array, offset: number): void {
    const { lp, model } = this;
    const { primal } = this.program.solution();
    for (let i = 0; i < model.dimension; i++) {
      const value = primal[lp.outgoing[i]];
      states[offset + i] =
        i < model.hydros
          ? Math.min(Math.max(value, this.minStorage[i]), this.maxStorage[i])
          : value;
    }
  }

  /** What the cuts say that the time behind the last stage costs, in $; 0 before the last stage, whose cost is that of the next. */
  costBehind(): number {
    if (this.stage < this.model.stages - 1) return 0;
    const { discount } = this.model.study.time;
    return discount[this.stage] * this.program.solution().primal[this.lp.theta] * COST_SCALE;
  }

  /** What the stage itself costs, in $. */
  immediateCost(): number {
    const { cost } = this.lp.data;
    const { primal } = this.program.solution();
    let sum = 0;
    for (let j = 0; j < cost.length; j++) if (j !== this.lp.theta) sum += cost[j] * primal[j];
    return sum * COST_SCALE;
  }

  /** Adds the cuts of the stage's pool that are not in the program yet. */
  addCuts(pool: CutPool): void {
    const count = pool.count - this.cuts;
    if (count === 0) return;
    this.program.addRows(cutRows(pool, this.cuts, count, this.lp));
    this.cuts = pool.count;
  }

  close(): void {
    this.program.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Every row basic, every column at a bound. */
function slackBasisOf({ columnLower, columnUpper, rows }: LpData): Basis {
  const columns = new Uint8Array(columnLower.length);
  for (let j = 0; j < columns.length; j++) {
    const hasLower = columnLower[j] > Number.NEGATIVE_INFINITY;
    const hasUpper = columnUpper[j] < Number.POSITIVE_INFINITY;
    columns[j] = hasLower ? BasisState.lower : hasUpper ? BasisState.upper : BasisState.zero;
  }
  return { columns, rows: new Uint8Array(rows.lower.length).fill(BasisState.basic) };
}

/** θ - coefficients · state ≥ intercept */
function cutRows(pool: CutPool, first: number, count: number, lp: StageLp): RowData {
  const width = 1 + pool.dimension;
  const lower = new Float64Array(count);
  const upper = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const starts = new Int32Array(count + 1);
  const indices = new Int32Array(count * width);
  const values = new Float64Array(count * width);
  let length = 0;
  for (let row = 0; row < count; row++) {
    const slot = first + row;
    lower[row] = pool.intercept(slot);
    indices[length] = lp.theta;
    values[length++] = 1;
    for (let i = 0; i < pool.dimension; i++) {
      const coefficient = pool.coefficient(slot, i);
      if (coefficient === 0) continue;
      indices[length] = lp.outgoing[i];
      values[length++] = -coefficient;
    }
    starts[row + 1] = length;
  }
  return {
    lower,
    upper,
    starts,
    indices: indices.subarray(0, length),
    values: values.subarray(0, length),
  };
}
