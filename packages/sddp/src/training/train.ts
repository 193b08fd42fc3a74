import { setImmediate as nextTurn } from "node:timers/promises";
import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { BasisState, type LpSolver, loadSolver } from "@cobre/solver";
import { CutPool } from "../cuts/cut-pool.js";
import { Exchange } from "../distribution/exchange.js";
import { WorkBoard } from "../distribution/work-board.js";
import type { EventListener, Termination } from "../events.js";
import { COST_SCALE, type Model, shareModel } from "../model.js";
import { type Boundary, boundaryPool } from "../policy/boundary.js";
import { checkResumable, checkStates } from "../policy/compatibility.js";
import { originOf, statesOf } from "../policy/fingerprint.js";
import type { Policy } from "../policy/policy.js";
import { meanStageCosts } from "../simulation/stage-costs.js";
import { coefficientRanges } from "../stage/coefficient-ranges.js";
import { type Progress, whichStops } from "../stopping/rules.js";
import { evaluateLowerBound, runBackwardSweep, solvesPerIteration } from "./backward.js";
import { runForwardPasses } from "./forward.js";
import { largestOpeningCosts } from "./openings.js";
import type { IterationRecord } from "./records.js";
import { costStatistics } from "./statistics.js";
import type { TrialPoints } from "./trial-points.js";
import { Workspace } from "./workspace.js";

/** How to train. All ranks give the same, but for listeners. */
export interface TrainOptions {
  /** HiGHS if not said. */
  readonly solver?: LpSolver | undefined;
  /** Goes on from here as if training had never stopped. */
  readonly resume?: Policy | undefined;
  /** Begins with these cuts. */
  readonly warmStart?: Policy | undefined;
  /** What the time behind the last stage costs; 0 if not said. A policy that is resumed has it already. */
  readonly boundary?: Boundary | undefined;
  readonly onEvent?: EventListener | undefined;
  /** Called on every rank with the trial points of each iteration; they are the same on all. */
  readonly onTrialPoints?: ((iteration: number, points: TrialPoints) => void) | undefined;
  /** Called on rank 0 every so many iterations, and at the end of training that was interrupted. */
  readonly checkpoint?:
    | { readonly every?: number | undefined; readonly write: (policy: Policy) => void }
    | undefined;
  /** Asked on each rank after each iteration; if one says yes, all stop there. Signal handlers have run before. */
  readonly isInterrupted?: (() => boolean) | undefined;
  /** Where subproblems that cannot be solved are written; the current directory if not said. */
  readonly failureDirectory?: string | undefined;
  /** Whether to tell the time of waiting for others from that of moving data. */
  readonly splitsWaiting?: boolean | undefined;
}

/** What training has made; the same on every rank. */
export interface TrainingResult {
  readonly policy: Policy;
  readonly termination: Termination;
  /** In $. */
  readonly lowerBound: number;
  readonly elapsedMs: number;
}

/**
 * Collective: trains a policy. The result has the same bits on any backend and any number of ranks (with HiGHS; CLP promises the
 * same costs).
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
  source: Case,
  options: TrainOptions = {},
): Promise<TrainingResult> {
  const solver = options.solver ?? (await loadSolver("highs"));
  const model = shareModel(comm, source);
  const { resume, warmStart } = options;
  const start = resume ?? warmStart;
  let workspace: Workspace<C> | undefined;
  const passes = model.config.training.forwardPasses;
  const board = WorkBoard.open(comm, largestOpeningCosts(model, passes));
  try {
    if (start !== undefined) checkStates(start, statesOf(model));
    const pools = resume ? copyPools(resume.pools, false) : startingPools(model, options);
    const exchange = new Exchange(comm, options.splitsWaiting, board);
    workspace = new Workspace(model, solver, exchange, options.failureDirectory ?? ".", pools);
    return await new Training(workspace, model, options).run();
  } finally {
    workspace?.close();
    board?.close();
    model.close();
  }
}

/** One training, from the first iteration to the last. */
class Training<C extends Communicator> {
  private readonly startedAt = performance.now();
  private readonly history: IterationRecord[];
  private readonly origin: Policy["origin"];
  private points: TrialPoints;
  private hasPoints: boolean;
  private initialBound: number;
  private lastSimulation: Float64Array | undefined;
  private readonly workspace: Workspace<C>;
  private readonly model: Model;
  private readonly options: TrainOptions;

  constructor(workspace: Workspace<C>, model: Model, options: TrainOptions) {
    this.workspace = workspace;
    this.model = model;
    this.options = options;
    const { resume } = options;
    this.origin = originOf(model, workspace.solver, workspace.problems);
    if (resume !== undefined) checkResumable(resume, this.origin);
    this.history = [...(resume?.history ?? [])];
    this.lastSimulation = resume?.lastSimulation;
    this.hasPoints = resume !== undefined && resume.iteration > 0;
    this.points = resume?.points ?? this.slackPoints();
    this.initialBound =
      resume?.initialBound ?? evaluateLowerBound(workspace, 0, this.points) * COST_SCALE;
  }

  async run(): Promise<TrainingResult> {
    const { workspace, options, model } = this;
    const { config } = model;
    this.tell({
      type: "training_started",
      stages: model.stages,
      stateDimension: model.dimension,
      forwardPasses: workspace.forwardPasses,
      ranks: workspace.exchange.comm.size,
      solver: workspace.solver.fingerprint,
      afterIteration: this.iteration,
      cuts: workspace.cuts,
    });
    this.tell({ type: "programs_built", ranges: workspace.problems.map(coefficientRanges) });
    workspace.takeSolves(); // those of the initial bound are of no iteration
    let termination: Termination | undefined = this.isAtLimit() ? "iteration_limit" : undefined;
    while (termination === undefined) {
      this.iterate(this.iteration + 1);
      await nextTurn(); // signals are heard between iterations
      termination = this.decide(config.training.stoppingRules, config.training.stoppingMode);
      const every = options.checkpoint?.every;
      const isDue = every !== undefined && this.iteration % every === 0;
      if (isDue || termination === "interrupted") this.writeCheckpoint();
    }
    const elapsedMs = performance.now() - this.startedAt;
    this.tell({ type: "training_done", termination, iterations: this.iteration, elapsedMs });
    const lowerBound = this.history.at(-1)?.lowerBound ?? this.initialBound;
    return { policy: this.policy(), termination, lowerBound, elapsedMs };
  }

  private get iteration(): number {
    return this.history.length;
  }

  private iterate(iteration: number): void {
    const { workspace } = this;
    const { exchange, forwardPasses } = workspace;
    const { waitingMs, movingMs } = exchange;
    const { simplexIterations, solvingMs } = workspace;
    const began = performance.now();
    this.points = runForwardPasses(workspace, iteration, this.hasPoints ? this.points : undefined);
    this.hasPoints = true;
    this.options.onTrialPoints?.(iteration, this.points);
    const costs = Float64Array.from({ length: forwardPasses }, (_, pass) => this.points.cost(pass));
    const { mean, std } = costStatistics(costs);
    const turned = performance.now();
    const forwardSolves = forwardPasses * this.model.stages;
    this.tell({ type: "forward_done", iteration, ms: turned - began, lpSolves: forwardSolves });
    const cutsBefore = workspace.cuts;
    runBackwardSweep(workspace, iteration, this.points);
    const swept = performance.now();
    const lpSolves = solvesPerIteration(workspace);
    this.tell({
      type: "backward_done",
      iteration,
      ms: swept - turned,
      lpSolves: lpSolves - forwardSolves - this.model.tree.openings(0),
    });
    const lowerBound = evaluateLowerBound(workspace, iteration, this.points) * COST_SCALE;
    const ended = performance.now();
    this.tell({ type: "bound_done", iteration, ms: ended - swept, lowerBound });
    const record: IterationRecord = {
      iteration,
      lowerBound,
      upperBoundMean: mean,
      upperBoundStd: std,
      forwardPasses,
      cutsAdded: workspace.cuts - cutsBefore,
      cutsActive: workspace.cuts,
      lpSolves,
      forwardMs: turned - began,
      backwardMs: swept - turned,
      totalMs: ended - began,
    };
    this.history.push(record);
    this.tell({
      type: "iteration_done",
      record,
      waitingMs: exchange.waitingMs - waitingMs,
      movingMs: exchange.movingMs - movingMs,
      solvingMs: workspace.solvingMs - solvingMs,
      simplexIterations: workspace.simplexIterations - simplexIterations,
      solves: workspace.takeSolves(),
      elapsedMs: ended - this.startedAt,
    });
  }

  /** The same on all ranks: what only one of them knows (the time, a signal) is told to the others first. */
  private decide(
    rules: Parameters<typeof whichStops>[0],
    mode: "any" | "all",
  ): Termination | undefined {
    const { exchange } = this.workspace;
    const seconds = (performance.now() - this.startedAt) / 1000;
    const limits = rules.flatMap((rule) => (rule.type === "time_limit" ? [rule.seconds] : []));
    const isFirst = exchange.comm.rank === 0;
    const known = exchange.max(
      Int32Array.of(
        this.options.isInterrupted?.() ? 1 : 0,
        ...limits.map((limit) => (isFirst && seconds >= limit ? 1 : 0)),
      ),
    );
    const progress: Progress = {
      iteration: this.iteration,
      lowerBounds: this.history.map(({ lowerBound }) => lowerBound),
      initialBound: this.initialBound,
      hasElapsed: (limit) => known[1 + limits.indexOf(limit)] === 1,
      hasSettled: ({ replications, distanceTolerance }) =>
        this.compareSimulations(replications) < distanceTolerance,
    };
    const termination = whichStops(rules, mode, progress);
    return termination ?? (known[0] === 1 ? "interrupted" : undefined);
  }

  private isAtLimit(): boolean {
    const { stoppingRules, stoppingMode } = this.model.config.training;
    const isOver = (rule: (typeof stoppingRules)[number]) =>
      rule.type === "iteration_limit" && this.iteration >= rule.limit;
    return stoppingMode === "any" ? stoppingRules.some(isOver) : stoppingRules.every(isOver);
  }

  /** How far the mean costs by stage of a simulation are from those of the last one: ‖new - old‖ / max(1, ‖new‖). */
  private compareSimulations(replications: number): number {
    const began = performance.now();
    const costs = meanStageCosts(this.workspace, this.points, replications);
    const previous = this.lastSimulation;
    this.lastSimulation = costs;
    const lpSolves = replications * this.model.stages;
    let squares = 0;
    let size = 0;
    costs.forEach((cost, stage) => {
      const change = cost - (previous?.[stage] ?? Number.POSITIVE_INFINITY);
      squares += change * change;
      size += cost * cost;
    });
    const distance = Math.sqrt(squares) / Math.max(1, Math.sqrt(size));
    this.tell({
      type: "simulation_compared",
      iteration: this.iteration,
      ms: performance.now() - began,
      lpSolves,
      distance: previous === undefined ? undefined : distance,
    });
    return distance;
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
      lastSimulation: this.lastSimulation,
    };
  }

  /** The initial state with the bases from which everything starts. */
  private slackPoints(): TrialPoints {
    const points = this.workspace.newTrialPoints();
    for (let pass = 0; pass < points.passes; pass++) {
      points.values.set(this.model.initialState, points.stateOffset(pass, 0));
      this.workspace.problems.forEach(({ slackBasis, program }, stage) => {
        const rows = new Uint8Array(program.rows).fill(BasisState.basic);
        rows.set(slackBasis.rows);
        points.setBasis(pass, stage, { columns: slackBasis.columns, rows });
      });
    }
    return points;
  }

  private tell(event: Parameters<EventListener>[0]): void {
    this.options.onEvent?.(event);
  }
}

/** The cuts to begin with: those of a warm start, and those behind the last stage. */
function startingPools(model: Model, { warmStart, boundary }: TrainOptions): readonly CutPool[] {
  const pools = warmStart
    ? copyPools(warmStart.pools, true)
    : Array.from({ length: model.stages }, () => new CutPool(model.dimension));
  const last = boundary ? boundaryPool(boundary, statesOf(model)) : new CutPool(model.dimension);
  return [...pools.slice(0, -1), last];
}

/** Copies: training adds to them. Cuts of a warm start come from before the first iteration. */
function copyPools(pools: readonly CutPool[], areOld: boolean): readonly CutPool[] {
  return pools.map((pool) => {
    const origins = pool.packedOrigins();
    return CutPool.from(
      pool.dimension,
      pool.packedValues(),
      areOld ? new Int32Array(origins.length) : origins,
    );
  });
}
