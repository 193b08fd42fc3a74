import type { Communicator } from "@cobre/comm";
import type { LpSolver } from "@cobre/solver";
import { CutPool } from "../cuts/cut-pool.js";
import type { Exchange } from "../distribution/exchange.js";
import type { MultistageModel } from "../multistage-model.js";
import { demandOf, type Plugins } from "../plugins.js";
import { StageRisks } from "../risk/stage-risks.js";
import { InSampleSampler } from "../sampling/in-sample.js";
import type { ScenarioSampler } from "../sampling/scenario-sampler.js";
import type { StageSolves } from "../stage/solve-statistics.js";
import { StageProblem } from "../stage/stage-problem.js";
import { openingOrder } from "./opening-order.js";
import { TrialPoints } from "./trial-points.js";

/** What a rank works with: the model, the program and cuts of every stage, and the exchange with other ranks. */
export class Workspace<C extends Communicator> implements Disposable {
  readonly model: MultistageModel;
  readonly solver: LpSolver;
  readonly exchange: Exchange<C>;
  readonly problems: readonly StageProblem[];
  readonly pools: readonly CutPool[];
  readonly sampler: ScenarioSampler;
  readonly risks: StageRisks;
  /** For each stage, its openings in the order in which they are solved. */
  readonly openingOrders: readonly Int32Array[];
  readonly forwardPasses: number;

  constructor(
    model: MultistageModel,
    solver: LpSolver,
    exchange: Exchange<C>,
    failureDirectory: string,
    pools?: readonly CutPool[],
    plugins: Plugins = {},
  ) {
    this.model = model;
    this.solver = solver;
    this.exchange = exchange;
    this.risks = new StageRisks(model.study, model.config.compat ?? "correct", plugins);
    this.forwardPasses = model.config.training.forwardPasses;
    // Paths through the tree come from its seed; other schemes than in_sample would use that of the scenario source.
    this.sampler = new InSampleSampler(model.tree, model.config.training.treeSeed);
    const stages = Array.from({ length: model.stages }, (_, stage) => stage);
    this.openingOrders = stages.map((stage) => openingOrder(model.tree, stage));
    this.pools = pools ?? stages.map(() => new CutPool(model.dimension));
    const demand = demandOf(model.config.training.cutSelection, plugins);
    const problems: StageProblem[] = [];
    this.problems = problems;
    try {
      // Backward, because the floor of a future cost follows from the program of the next stage. Behind the last one is something only
      // if there are boundary cuts.
      const last = this.pools[model.stages - 1];
      let floor = last.count > 0 ? model.lowestTerminalValue(last) : undefined;
      for (const stage of stages.reverse()) {
        const problem = new StageProblem(model, stage, floor, solver, failureDirectory, demand);
        problems.unshift(problem);
        problem.followCuts(this.pools[stage]);
        floor = model.lowestCost(stage, problem.lp);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Empty trial points whose bases have the present sizes of the programs. */
  newTrialPoints(): TrialPoints {
    return new TrialPoints(this.forwardPasses, this.model.dimension, {
      columns: Int32Array.from(this.problems, ({ program }) => program.columns),
      rows: Int32Array.from(this.problems, ({ cuts }) => cuts.storedRows),
    });
  }

  /** This rank's simplex iterations so far. */
  get simplexIterations(): number {
    return this.problems.reduce((sum, problem) => sum + problem.simplexIterations, 0);
  }

  /** Milliseconds that this rank has spent in the solver so far. */
  get solvingMs(): number {
    return this.problems.reduce((sum, problem) => sum + problem.solvingMs, 0);
  }

  /** What the solver did on this rank since the previous call, stage by stage. */
  takeSolves(): readonly StageSolves[] {
    return this.problems.flatMap(({ statistics }) => statistics.take());
  }

  /** How many cuts there are, in all stages together. */
  get cuts(): number {
    return this.pools.reduce((sum, pool) => sum + pool.count, 0);
  }

  /** How many of them are in the programs. */
  get activeCuts(): number {
    return this.pools.reduce((sum, pool) => sum + pool.active, 0);
  }

  close(): void {
    for (const problem of this.problems) problem.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
