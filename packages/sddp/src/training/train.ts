import { setImmediate as nextTurn } from "node:timers/promises";
import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import { type LpSolver, loadSolver } from "@cobre/solver";
import { Exchange } from "../distribution/exchange.js";
import { SharedCutMemory } from "../distribution/shared-cut-memory.js";
import { agreeOnSolver } from "../distribution/solver-agreement.js";
import { WorkBoard } from "../distribution/work-board.js";
import type { EventListener, Termination } from "../events.js";
import type { MultistageModel } from "../multistage-model.js";
import { openModel, type Trainable } from "../open-model.js";
import { type Plugins, selectsCuts, stoppingRuleOf } from "../plugins.js";
import type { Boundary } from "../policy/boundary.js";
import {
  checkBases,
  checkResumable,
  checkStates,
  continuedOrigin,
} from "../policy/compatibility.js";
import { originOf } from "../policy/fingerprint.js";
import { type BoundCaveat, type Policy, startedWarm } from "../policy/policy.js";
import { meanStageCosts, scenarioCosts } from "../simulation/stage-costs.js";
import { withRoomFor } from "../solver-room.js";
import { coefficientRanges } from "../stage/coefficient-ranges.js";
import type { Progress } from "../stopping/stopping-rule.js";
import { StoppingRules } from "../stopping/stopping-rules.js";
import { evaluateLowerBound, runBackwardSweep } from "./backward.js";
import { CutSelector } from "./cut-selector.js";
import { runForwardPasses } from "./forward.js";
import { largestOpeningCosts } from "./openings.js";
import { Pace } from "./pace.js";
import { RankMeasures } from "./rank-measures.js";
import type { IterationRecord } from "./records.js";
import { slackPoints } from "./slack-points.js";
import { foreignStages, startingCaveats, startingPools } from "./starting-cuts.js";
import { finiteCost } from "./statistics.js";
import type { TrialPoints } from "./trial-points.js";
import { Workspace } from "./workspace.js";

/** Lets training wait at the end of an iteration. `policy` makes the policy so far: to look at, not to resume from. */
export type Hold = (iteration: number, policy: () => Policy) => Promise<void> | undefined;

/** How to train. All ranks give the same options, except callbacks. */
export interface TrainOptions {
  /** Default: HiGHS. */
  readonly solver?: LpSolver | undefined;
  /** Continues from this policy as if training had never stopped. */
  readonly resume?: Policy | undefined;
  /** Whether `resume` may have been trained with another solver. The bits then differ from those of one solver alone. Default: false. */
  readonly allowsOtherSolver?: boolean | undefined;
  /**
   * Starts with the cuts of this policy. They keep the bound a lower bound where the later stages have the data they had; otherwise the
   * result says `foreign_cuts` in `boundCaveats`.
   */
  readonly warmStart?: Policy | undefined;
  /** Terminal values of the last stage; 0 by default. Ignored with `resume`, whose policy already contains them. */
  readonly boundary?: Boundary | undefined;
  /** Stopping rules, risk measures and methods of cut selection of your own. */
  readonly plugins?: Plugins | undefined;
  readonly onEvent?: EventListener | undefined;
  /** Called on every rank with the trial points of each iteration, which are the same on all ranks. */
  readonly onTrialPoints?: ((iteration: number, points: TrialPoints) => void) | undefined;
  /**
   * `write` is called on rank 0 after each `every` iterations, when training is interrupted, and before the first iteration of a warm
   * start, so that a run which is killed is resumed with the same cuts.
   */
  readonly checkpoint?:
    | { readonly every?: number | undefined; readonly write: (policy: Policy) => void }
    | undefined;
  /** Called on each rank after each iteration, when pending signal handlers have run. If it returns true on one rank, all stop. */
  readonly isInterrupted?: (() => boolean) | undefined;
  /**
   * Asked on rank 0 after each iteration. Training waits for the promise it returns, and the other ranks wait in the next exchange: a group
   * with a time limit for collectives would give up rank 0. Time spent here counts neither as elapsed nor towards time limits.
   */
  readonly hold?: Hold | undefined;
  /** Where subproblems that cannot be solved are written. Default: the current directory. */
  readonly failureDirectory?: string | undefined;
  /** Measures the time spent waiting for other ranks apart from the time spent moving data. */
  readonly splitsWaiting?: boolean | undefined;
}

/** The result of training; the same on every rank. */
export interface TrainingResult {
  readonly policy: Policy;
  readonly termination: Termination;
  /** Whether the stopping rule that ended training says that it has converged. */
  readonly hasConverged: boolean;
  /** In $; a lower bound if the policy has no `boundCaveats`. */
  readonly lowerBound: number;
  /** The same as `lowerBound`; of a model that maximises, its negative: an upper bound on the reward. */
  readonly bound: number;
  readonly elapsedMs: number;
}

/**
 * Collective: trains a policy for a case or for a model that {@link defineModel} made. With HiGHS the result has the same bits on any backend and any number of ranks (with highs-native: on one
 * kind of machine); with CLP it has the same costs. All ranks need the same solver.
 *
 * @example
 * ```ts
 * using comm = await createCommunicator();
 * const { policy, lowerBound } = await train(comm, await loadCase("cases/1dtoy"));
 * if (comm.rank === 0) console.log(lowerBound, hashPolicy(policy).cuts);
 * ```
 */
export async function train<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  source: Trainable,
  options: TrainOptions = {},
): Promise<TrainingResult> {
  const solver = options.solver ?? (await loadSolver("highs"));
  agreeOnSolver(comm, solver);
  const model = openModel(comm, source);
  const start = options.resume ?? options.warmStart;
  let workspace: Workspace<C> | undefined;
  const passes = model.config.training.forwardPasses;
  const board = WorkBoard.open(comm, largestOpeningCosts(model, passes));
  const cutMemory = new SharedCutMemory(comm);
  try {
    if (start !== undefined) checkStates(start, model.states);
    const pools = startingPools(model, options, cutMemory);
    cutMemory.fence();
    const exchange = new Exchange(comm, options.splitsWaiting, board);
    const directory = options.failureDirectory ?? ".";
    const roomy = await withRoomFor(solver, model);
    workspace = new Workspace(model, roomy, exchange, directory, pools, options.plugins);
    return await new Training(workspace, model, cutMemory, options).run();
  } finally {
    workspace?.close();
    cutMemory.close();
    board?.close();
    model.close();
  }
}

/** One training, from the first iteration to the last. */
class Training<C extends Communicator> {
  /** Later than it was, once training has been held. */
  private startedAt = performance.now();
  private readonly history: IterationRecord[];
  private readonly origin: Policy["origin"];
  private points: TrialPoints;
  private hasPoints: boolean;
  private initialBound: number;
  private rulesHolding: Policy["rulesHolding"];
  private measured: RankMeasures | undefined;
  private readonly rules: StoppingRules;
  private readonly selector: CutSelector<C> | undefined;
  private readonly boundCaveats: readonly BoundCaveat[];
  private readonly foreignStages: readonly number[];
  private readonly isWarm: boolean;
  private readonly workspace: Workspace<C>;
  private readonly model: MultistageModel;
  private readonly cutMemory: SharedCutMemory;
  private readonly options: TrainOptions;

  constructor(
    workspace: Workspace<C>,
    model: MultistageModel,
    cutMemory: SharedCutMemory,
    options: TrainOptions,
  ) {
    this.workspace = workspace;
    this.model = model;
    workspace.checkRisks();
    this.cutMemory = cutMemory;
    this.options = options;
    const { resume } = options;
    const { solver, problems, pools, risks } = workspace;
    const origin = originOf(model, solver, problems, pools, risks.isNeutral);
    if (resume !== undefined) {
      checkResumable(resume, origin, options.allowsOtherSolver);
      checkBases(resume, problems);
    }
    this.origin = resume === undefined ? origin : continuedOrigin(origin, resume.origin);
    this.history = [...(resume?.history ?? [])];
    this.rulesHolding = resume?.rulesHolding ?? [];
    const { stoppingRules, stoppingMode } = model.config.training;
    this.rules = new StoppingRules(
      stoppingRules,
      stoppingMode,
      options.plugins ?? {},
      {
        isRiskNeutral: workspace.risks.isNeutral,
        isCyclic: model.graph.isCyclic,
        isEnumerated: workspace.isEnumerated,
      },
      {
        elapsedSeconds: () => (performance.now() - this.startedAt) / 1000,
        meanStageCosts: (scenarios) => meanStageCosts(workspace, this.points, scenarios),
        scenarioCosts: (scenarios) => scenarioCosts(workspace, this.points, scenarios),
        tell: (event) => this.tell(event),
      },
      resume?.ruleStates ?? [],
    );
    const { cutSelection } = model.config.training;
    const plugins = options.plugins ?? {};
    this.selector =
      cutSelection && selectsCuts(cutSelection, plugins)
        ? new CutSelector(workspace, cutSelection, plugins, resume?.archives)
        : undefined;
    this.foreignStages = foreignStages(options, this.origin);
    this.boundCaveats = startingCaveats(options, this.foreignStages);
    this.isWarm = startedWarm(workspace, model.graph);
    this.hasPoints = resume !== undefined && resume.iteration > 0;
    this.points = resume?.points ?? slackPoints(workspace);
    this.initialBound =
      resume?.initialBound ??
      finiteCost(
        evaluateLowerBound(workspace, 0, this.points) * model.costScale,
        "the lower bound",
      );
  }

  async run(): Promise<TrainingResult> {
    const { workspace, options, model } = this;
    this.tell({
      type: "training_started",
      stages: model.stages,
      stateDimension: model.dimension,
      forwardPasses: workspace.forwardPasses,
      ranks: workspace.exchange.comm.size,
      solver: workspace.solver.fingerprint,
      afterIteration: this.iteration,
      cuts: workspace.cuts,
      isWarm: this.isWarm,
      foreignStageIds: this.foreignStages.map((stage) => this.origin.stageIds[stage]),
      boundCaveats: this.boundCaveats,
    });
    const firsts = workspace.problems.filter(
      ({ node, stage }) => model.graph.nodesOf(stage)[0] === node,
    );
    this.tell({ type: "programs_built", ranges: firsts.map(coefficientRanges) });
    workspace.takeSolves(); // the solves of the initial bound belong to no iteration
    let termination = options.resume === undefined ? undefined : this.decideAgain();
    if (options.resume === undefined && this.isWarm) this.writeCheckpoint();
    while (termination === undefined) {
      await this.iterate(this.iteration + 1);
      await nextTurn(); // lets signal handlers run between iterations
      await this.hold();
      termination = this.decide();
      const every = options.checkpoint?.every;
      const isDue = every !== undefined && this.iteration % every === 0;
      if (isDue || termination === "interrupted") this.writeCheckpoint();
    }
    const elapsedMs = performance.now() - this.startedAt;
    this.tell({ type: "training_done", termination, iterations: this.iteration, elapsedMs });
    const lowerBound = this.history.at(-1)?.lowerBound ?? this.initialBound;
    const hasConverged = this.hasConverged(termination);
    const bound = model.sign * lowerBound;
    return { policy: this.policy(), termination, hasConverged, lowerBound, bound, elapsedMs };
  }

  private get iteration(): number {
    return this.history.length;
  }

  private async iterate(iteration: number): Promise<void> {
    const { workspace } = this;
    const { exchange, forwardPasses } = workspace;
    const { waitingMs, movingMs } = exchange;
    const { simplexIterations, solvingMs } = workspace;
    const began = performance.now();
    const pace = new Pace(iteration, this.origin.stageIds, (event) => this.tell(event));
    const previous = this.hasPoints ? this.points : undefined;
    const forward = await runForwardPasses(workspace, iteration, previous, pace.afterPass);
    this.points = forward.points;
    this.hasPoints = true;
    this.options.onTrialPoints?.(iteration, this.points);
    const turned = performance.now();
    const { costs, solves: forwardSolves } = forward;
    this.tell({ type: "forward_done", iteration, ms: turned - began, lpSolves: forwardSolves });
    const cutsBefore = workspace.cuts;
    const backwardSolves = await runBackwardSweep(
      workspace,
      this.cutMemory,
      iteration,
      this.points,
      pace.beforeStage,
    );
    const swept = performance.now();
    const selected = this.selector?.after(iteration, this.points);
    const chosen = selected === undefined ? swept : performance.now();
    if (selected !== undefined) {
      this.tell({ type: "cuts_selected", iteration, ms: chosen - swept, stages: selected });
    }
    this.tell({ type: "backward_done", iteration, ms: swept - turned, lpSolves: backwardSolves });
    const bound = evaluateLowerBound(workspace, iteration, this.points) * this.model.costScale;
    const lowerBound = finiteCost(bound, "the lower bound");
    const ended = performance.now();
    this.tell({ type: "bound_done", iteration, ms: ended - chosen, lowerBound });
    const record: IterationRecord = {
      iteration,
      lowerBound,
      upperBoundMean: costs.mean,
      upperBoundStd: costs.std,
      ...(workspace.isEnumerated && { isExact: true }),
      forwardPasses,
      cutsAdded: workspace.cuts - cutsBefore,
      cutsActive: workspace.activeCuts,
      lpSolves: forwardSolves + backwardSolves + workspace.rootOutcomes.count,
      forwardMs: turned - began,
      backwardMs: swept - turned,
      totalMs: ended - began,
    };
    this.history.push(record);
    const waited = exchange.waitingMs - waitingMs;
    const moved = exchange.movingMs - movingMs;
    const solves = workspace.takeSolves();
    this.tell({
      type: "iteration_done",
      record,
      waitingMs: waited,
      movingMs: moved,
      solvingMs: workspace.solvingMs - solvingMs,
      simplexIterations: workspace.simplexIterations - simplexIterations,
      solves,
      elapsedMs: ended - this.startedAt,
    });
    this.measured = new RankMeasures(exchange.comm, (waited + moved) / (ended - began), solves);
  }

  /** Before the decision, so that a run which is stopped while it is held stops at once. */
  private async hold(): Promise<void> {
    const { hold } = this.options;
    if (hold === undefined || this.workspace.exchange.comm.rank !== 0) return;
    const released = hold(this.iteration, () => this.policy());
    if (released === undefined) return;
    const began = performance.now();
    await released;
    this.startedAt += performance.now() - began;
  }

  /** The same on all ranks: what only one rank knows (the time, a signal, how busy it was) is exchanged first. */
  private decide(): Termination | undefined {
    const { exchange } = this.workspace;
    const says = this.rules.firstRankSays();
    const isFirst = exchange.comm.rank === 0;
    const known = exchange.max(
      Int32Array.of(
        this.options.isInterrupted?.() ? 1 : 0,
        ...says.map((isSo) => (isFirst && isSo ? 1 : 0)),
        ...(this.measured?.mine ?? []),
      ),
    );
    if (this.measured !== undefined) {
      this.tell(this.measured.eventOf(this.iteration, known.subarray(1 + says.length)));
    }
    const said = says.map((_, i) => known[1 + i] === 1);
    this.rulesHolding = this.rules.holding(this.progress(), said);
    const termination = this.rules.whichStops(this.rulesHolding);
    return termination ?? (known[0] === 1 ? "interrupted" : undefined);
  }

  /** The decision of a run that is resumed, before it does anything: the one that the run before came to, unless the rules have changed. */
  private decideAgain(): Termination | undefined {
    this.rulesHolding = this.rules.holdingStill(this.progress(), this.rulesHolding);
    return this.rules.whichStops(this.rulesHolding);
  }

  private hasConverged(termination: Termination): boolean {
    if (termination === "interrupted") return false;
    return (
      stoppingRuleOf({ type: termination }, this.options.plugins ?? {}).meansConverged ?? false
    );
  }

  private progress(): Progress {
    const { history, initialBound, isWarm } = this;
    // Of a cyclic horizon, passes end with what the cuts know of later cycles, which may be too little.
    const isRiskNeutral = this.workspace.risks.isNeutral && !this.model.graph.isCyclic;
    return { history, initialBound, isWarm, isRiskNeutral };
  }

  private writeCheckpoint(): void {
    const { checkpoint } = this.options;
    if (checkpoint === undefined || this.workspace.exchange.comm.rank !== 0) return;
    const began = performance.now();
    checkpoint.write(this.policy());
    const ms = performance.now() - began;
    this.tell({ type: "checkpoint_written", iteration: this.iteration, ms });
  }

  private policy(): Policy {
    return {
      origin: this.origin,
      iteration: this.iteration,
      pools: this.workspace.pools,
      points: this.points,
      history: [...this.history],
      initialBound: this.initialBound,
      boundCaveats: this.boundCaveats,
      rulesHolding: this.rulesHolding,
      ruleStates: this.rules.states,
      archives: this.selector?.archives.map((archive) => archive.packedValues()),
    };
  }

  private tell(event: Parameters<EventListener>[0]): void {
    this.options.onEvent?.(event);
  }
}
