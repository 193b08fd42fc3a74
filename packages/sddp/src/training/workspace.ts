import type { Communicator } from "@cobre/comm";
import type { LpSolver } from "@cobre/solver";
import { ForwardSampler, Seeds } from "@cobre/stochastic";
import { CutPool } from "../cuts/cut-pool.js";
import type { Exchange } from "../distribution/exchange.js";
import type { Model } from "../model.js";
import type { StageSolves } from "../stage/solve-statistics.js";
import { StageProblem } from "../stage/stage-problem.js";
import { TrialPoints } from "./trial-points.js";

/** What a rank works with: the model, the program and the cuts of every stage, and the way to the others. */
export class Workspace<C extends Communicator> implements Disposable {
  readonly model: Model;
  readonly solver: LpSolver;
  readonly exchange: Exchange<C>;
  readonly problems: readonly StageProblem[];
  readonly pools: readonly CutPool[];
  readonly sampler: ForwardSampler;
  readonly forwardPasses: number;

  constructor(
    model: Model,
    solver: LpSolver,
    exchange: Exchange<C>,
    failureDirectory: string,
    pools?: readonly CutPool[],
  ) {
    this.model = model;
    this.solver = solver;
    this.exchange = exchange;
    this.forwardPasses = model.config.training.forwardPasses;
    this.sampler = new ForwardSampler(
      model.tree,
      new Seeds(model.config.training.scenarioSource.seed),
    );
    const stages = Array.from({ length: model.stages }, (_, stage) => stage);
    this.pools = pools ?? stages.map(() => new CutPool(model.dimension));
    const problems: StageProblem[] = [];
    this.problems = problems;
    try {
      for (const stage of stages) {
        // Behind the last stage there is nothing but what boundary cuts tell of.
        const hasFuture = stage < model.stages - 1 || this.pools[stage].count > 0;
        const problem = new StageProblem(model, stage, hasFuture, solver, failureDirectory);
        problems.push(problem);
        problem.addCuts(this.pools[stage]);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Room for trial points, with bases as large as the programs are now. */
  newTrialPoints(): TrialPoints {
    return new TrialPoints(this.forwardPasses, this.model.dimension, {
      columns: Int32Array.from(this.problems, ({ program }) => program.columns),
      rows: Int32Array.from(this.problems, ({ program }) => program.rows),
    });
  }

  /** Simplex iterations of this rank so far. */
  get simplexIterations(): number {
    return this.problems.reduce((sum, problem) => sum + problem.simplexIterations, 0);
  }

  /** Milliseconds of this rank in the solver so far. */
  get solvingMs(): number {
    return this.problems.reduce((sum, problem) => sum + problem.solvingMs, 0);
  }

  /** What the solver did on this rank since the last time, stage by stage. */
  takeSolves(): readonly StageSolves[] {
    return this.problems.flatMap(({ statistics }) => statistics.take());
  }

  get cuts(): number {
    return this.pools.reduce((sum, pool) => sum + pool.count, 0);
  }

  close(): void {
    for (const problem of this.problems) problem.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
