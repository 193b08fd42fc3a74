import {
  type Basis,
  BasisState,
  type LinearProgram,
  type LpData,
  type LpSolver,
  solveSubproblem,
} from "@cobre/solver";
import type { CutPool } from "../cuts/cut-pool.js";
import { CutRows } from "../cuts/cut-rows.js";
import { type DemandRules, RowsOnDemand } from "../cuts/rows-on-demand.js";
import type { MultistageModel } from "../multistage-model.js";
import type { StagePart } from "./elements/element.js";
import type { StageProgram } from "./program/stage-program.js";
import { type SolvePhase, SolveStatistics } from "./solve-statistics.js";

/** Identifies one solve. It names the file to which a subproblem that cannot be solved is written. */
export interface SolveName {
  readonly phase: SolvePhase;
  readonly iteration: number;
  readonly scenario: number;
  readonly opening: number;
}

/**
 * The program of one stage. It is solved for many states and openings: {@link enter} a state, {@link open} the noise of an opening,
 * {@link solve}.
 */
export class StageProblem implements Disposable {
  /** The node whose program it is; in a chain the same as the stage. */
  readonly node: number;
  readonly stage: number;
  readonly lp: StageProgram;
  readonly parts: readonly StagePart[];
  readonly program: LinearProgram;
  /** The cuts that are rows of the program. */
  readonly cuts: CutRows;
  /** The basis from which the first solve starts. */
  readonly slackBasis: Basis;
  readonly statistics: SolveStatistics;
  solves = 0;
  simplexIterations = 0;
  /** Milliseconds in the solver. */
  solvingMs = 0;
  /** What was done for the next solve. */
  private readonly preparation = { basesOffered: 0, basisMs: 0, boundsMs: 0 };
  private readonly model: MultistageModel;
  private readonly solver: LpSolver;
  private readonly failureDirectory: string;
  /** Takes cuts in when they are violated; `undefined` if all cuts that belong in the program are rows. */
  private readonly demand: RowsOnDemand | undefined;
  /** The values of the known columns: the state that was entered, and what the opening brings. */
  private readonly known: Float64Array;
  /** The known columns that follow each other: the first column, and its values. */
  private readonly runs: readonly (readonly [number, Float64Array])[];

  /**
   * @param floor a lower bound on the cost of later stages or the terminal value; `undefined` if there is neither
   * @param demand the rules for a program that takes cuts in when they are violated; without them all cuts are rows
   */
  constructor(
    model: MultistageModel,
    node: number,
    floor: number | undefined,
    solver: LpSolver,
    failureDirectory: string,
    demand?: DemandRules,
  ) {
    const { stage } = model.graph.nodes[node];
    this.model = model;
    this.node = node;
    this.stage = stage;
    this.solver = solver;
    this.failureDirectory = failureDirectory;
    this.statistics = new SolveStatistics(stage);
    const { lp, parts } = model.buildStage(node, floor);
    this.lp = lp;
    this.parts = parts;
    this.program = solver.create(lp.data, {
      maxAttempts: model.config.training.retryMaxAttempts,
      changesCosts: parts.some(({ changesCosts }) => changesCosts === true),
      edgeWeights: "devex", // each unit of work starts from a basis; computing exact weights there would cost a solve per row
    });
    const known = new Float64Array(lp.known.length);
    this.known = known;
    this.cuts = new CutRows(this.program, lp, known);
    this.demand = demand && new RowsOnDemand(this.cuts, lp, demand);
    this.slackBasis = slackBasisOf(lp.data);
    this.runs = lp.knownRuns.map(([from, to]) => [lp.known[from], known.subarray(from, to)]);
  }

  /** Sets the state at the start of the stage, read from `states` at `offset`. */
  enter(states: Float64Array, offset: number): void {
    const { stateKnown } = this.lp;
    for (let i = 0; i < stateKnown.length; i++) this.known[stateKnown[i]] = states[offset + i];
  }

  /** Sets what a noise vector brings, given the state that was entered. The vector begins at `offset`. */
  open(noise: Float64Array, offset: number): void {
    this.setOpening(noise, offset, false);
  }

  /** Like {@link open}, for a cut, which must be valid in every state. */
  openForCut(noise: Float64Array, offset: number): void {
    this.setOpening(noise, offset, true);
  }

  private setOpening(noise: Float64Array, offset: number, isForCut: boolean): void {
    const { program, known, preparation } = this;
    const began = performance.now();
    const opening = { program, known, noise, offset, isForCut };
    for (const part of this.parts) part.open?.(opening);
    for (const [first, values] of this.runs) program.setColumnBounds(first, values, values);
    this.cuts.settle();
    preparation.boundsMs += performance.now() - began;
  }

  /** Forgets all earlier solves and starts the next one from a stored basis. */
  startFrom(basis: Basis): void {
    const began = performance.now();
    this.demand?.begin(basis);
    this.program.startFrom(this.cuts.forProgram(basis));
    this.preparation.basisMs += performance.now() - began;
    if (basis !== this.slackBasis) this.preparation.basesOffered++;
  }

  /** The basis in which the last solve ended, as it is stored. */
  basis(): Basis {
    return this.cuts.stored(this.program.basis());
  }

  /** Solves to the optimum. A program that cannot be solved is written to a file, which the error names. */
  solve(name: SolveName): void {
    const { program, demand } = this;
    const began = performance.now();
    this.solveOnce(name);
    let { attempts, iterations } = program;
    if (demand !== undefined) {
      for (let round = 0; demand.addViolated(program.solution().primal, round); round++) {
        this.solveOnce(name);
        attempts = Math.max(attempts, program.attempts);
        iterations += program.iterations;
      }
    }
    const ms = performance.now() - began;
    this.solvingMs += ms;
    this.solves++;
    this.simplexIterations += iterations;
    this.statistics.add(name.phase, attempts, iterations, ms, this.preparation);
    this.preparation.basesOffered = 0;
    this.preparation.basisMs = 0;
    this.preparation.boundsMs = 0;
  }

  private solveOnce(name: SolveName): void {
    const { program, stage, node, lp, cuts } = this;
    solveSubproblem(this.solver.name, program, () => {
      const { phase, iteration, scenario, opening } = name;
      const { study, graph } = this.model;
      const ofNode = graph.isChain ? "" : `_node_${graph.nodes[node].id}`;
      return {
        name: `stage_${study.time.stages[stage].id}${ofNode}_${phase}_iteration_${iteration}_scenario_${scenario}_opening_${opening}`,
        directory: this.failureDirectory,
        names: { columns: lp.names.columns, rows: [...lp.names.rows, ...cuts.names()] },
      };
    });
  }

  /**
   * The slopes of a cut: the derivative of the cost with respect to each component of the state that was entered. Returns what the cut
   * lies below the cost at that state, in thousands of $: 0 or less.
   */
  gradient(gradient: Float64Array, offset: number): number {
    const { known, stateKnown } = this.lp;
    const reducedCosts = this.cuts.reducedCosts(this.program.solution());
    for (let i = 0; i < stateKnown.length; i++) {
      gradient[offset + i] = reducedCosts[known[stateKnown[i]]];
    }
    let loss = 0;
    for (const part of this.parts) {
      if (part.addSlopes === undefined) continue;
      loss += part.addSlopes(reducedCosts, this.known, gradient, offset);
    }
    return loss;
  }

  /** The state at the end of the stage. It is clamped to the bounds of its columns, which the solver's rounding can exceed. */
  outgoing(states: Float64Array, offset: number): void {
    const { outgoing, isKnown, data } = this.lp;
    const { columnLower, columnUpper } = data;
    const { primal } = this.program.solution();
    for (let i = 0; i < outgoing.length; i++) {
      const column = outgoing[i];
      const value = primal[column];
      // The bounds of a known column are set for each opening.
      states[offset + i] = isKnown[column]
        ? value
        : Math.min(Math.max(value, columnLower[column]), columnUpper[column]);
    }
  }

  /**
   * The discounted terminal value after the last stage, in $; 0 in other stages, because the next stage counts that cost. In a cyclic graph it is what
   * the cuts know of all further cycles.
   */
  costBehind(): number {
    if (this.stage < this.model.stages - 1) return 0;
    const { costScale, study } = this.model;
    const theta = this.program.solution().primal[this.lp.theta];
    return study.time.discount[this.stage] * theta * costScale;
  }

  /** The cost of the stage itself, in $. */
  immediateCost(): number {
    const { primal } = this.program.solution();
    let total = this.lp.totalCost(primal);
    for (const part of this.parts) {
      if (part.openedCost !== undefined) total += part.openedCost(primal);
    }
    return total * this.model.costScale;
  }

  /** Brings the cuts in the program up to date with the stage's pool: new cuts, and those that selection takes out or puts back. */
  followCuts(pool: CutPool): void {
    (this.demand ?? this.cuts).follow(pool);
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
