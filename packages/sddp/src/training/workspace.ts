import type { Communicator } from "@cobre/comm";
import type { LpSolver } from "@cobre/solver";
import { CutPool } from "../cuts/cut-pool.js";
import type { Exchange } from "../distribution/exchange.js";
import type { MultistageModel } from "../multistage-model.js";
import { demandOf, type Plugins } from "../plugins.js";
import { StageRisks } from "../risk/stage-risks.js";
import { GraphWalks } from "../sampling/graph-walks.js";
import { InSampleSampler } from "../sampling/in-sample.js";
import type { ScenarioSampler } from "../sampling/scenario-sampler.js";
import { NodeFloors } from "../stage/node-floors.js";
import { type StageSolves, stagesOfNodes } from "../stage/solve-statistics.js";
import { StageProblem } from "../stage/stage-problem.js";
import { openingOrder } from "./opening-order.js";
import { Outcomes } from "./outcomes.js";
import { TrialPoints } from "./trial-points.js";

/** What a rank works with: the model, the program and cuts of every node, and the exchange with other ranks. In a chain the nodes are the stages. */
export class Workspace<C extends Communicator> implements Disposable {
  readonly model: MultistageModel;
  readonly solver: LpSolver;
  readonly exchange: Exchange<C>;
  readonly problems: readonly StageProblem[];
  readonly pools: readonly CutPool[];
  readonly sampler: ScenarioSampler;
  /** Through which nodes paths go. */
  readonly walks: GraphWalks;
  readonly risks: StageRisks;
  /** What may happen after each node, and where paths begin. */
  readonly outcomes: readonly Outcomes[];
  readonly rootOutcomes: Outcomes;
  /** For each node, its openings in the order in which they are solved. */
  readonly openingOrders: readonly Int32Array[];
  readonly forwardPasses: number;
  /** Whether the passes go along every path once. */
  readonly isEnumerated: boolean;

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
    const { graph, tree } = model;
    const { treeSeed, isEnumerated = false } = model.config.training;
    this.isEnumerated = isEnumerated;
    // Cobre 0.18 counts simulated scenarios from 0, Cobre 0.5 from behind all forward passes.
    const firstSimulated = model.config.dialect === "0.18" ? 0 : undefined;
    this.sampler = new InSampleSampler(tree, graph, treeSeed, firstSimulated);
    this.walks = new GraphWalks(graph, model.study.time.discount, treeSeed, isEnumerated);
    this.outcomes = Outcomes.ofNodes(graph, tree);
    this.rootOutcomes = new Outcomes(graph.roots, tree);
    const nodes = Array.from(graph.nodes.keys());
    this.openingOrders = nodes.map((node) => openingOrder(tree, node));
    this.pools = pools ?? nodes.map(() => new CutPool(model.dimension));
    const demand = demandOf(model.config.training.cutSelection, plugins);
    const problems: StageProblem[] = [];
    this.problems = problems;
    try {
      // Backward, because the floor of a future cost follows from the programs of the next stage.
      const floors = new NodeFloors(model, this.pools);
      for (const node of nodes.reverse()) {
        const floor = floors.behind(node);
        const problem = new StageProblem(model, node, floor, solver, failureDirectory, demand);
        problems.unshift(problem);
        problem.followCuts(this.pools[node]);
        floors.add(node, problem.lp);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Throws if a risk measure cannot weigh the outcomes of its stage. */
  checkRisks(): void {
    const { outcomes, rootOutcomes, problems, risks } = this;
    if (rootOutcomes.probabilities !== undefined) risks.checkUnequal(0);
    outcomes.forEach(({ probabilities }, node) => {
      if (probabilities !== undefined) risks.checkUnequal(problems[node].stage);
    });
  }

  /**
   * The passes that make a cut at a place of their way: all of them, because each has come in a state of its own. Only where every path of a tree is
   * walked, passes with the same beginning have come in the same state.
   */
  passesWithCuts(points: TrialPoints, place: number): Int32Array {
    const all = Int32Array.from({ length: points.passes }, (_, pass) => pass);
    if (!this.isEnumerated) return all;
    return all.filter(
      (pass) => pass === 0 || points.node(pass, place) !== points.node(pass - 1, place),
    );
  }

  /** Empty trial points for the passes of an iteration (from 1), whose bases have the present sizes of the programs. */
  newTrialPoints(iteration: number): TrialPoints {
    const { model, problems, forwardPasses } = this;
    const sizes = {
      columns: Int32Array.from(problems, ({ program }) => program.columns),
      rows: Int32Array.from(problems, ({ cuts }) => cuts.storedRows),
    };
    return new TrialPoints(forwardPasses, model.dimension, sizes, undefined, {
      nodes: this.walks.forward(iteration, forwardPasses),
      stages: model.stages,
      hasEnd: model.graph.isCyclic,
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
    const ofNodes = this.problems.flatMap(({ statistics }) => statistics.take());
    return this.model.graph.isChain ? ofNodes : stagesOfNodes(ofNodes);
  }

  /** How many cuts there are, in all nodes together. */
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
