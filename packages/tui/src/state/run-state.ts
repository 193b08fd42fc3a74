import { formatIssue } from "@cobre/core";
import { counted, duration, money } from "../text/numbers.js";
import { type IterationState, type RankTimes, workByStage } from "./iteration.js";
import type { ToldEvent } from "./told-event.js";

export type Phase = "starting" | "training" | "simulation" | "done" | "failed" | "interrupted";

/** A line of the log. */
export interface LogEntry {
  readonly level: "note" | "warning" | "error";
  readonly text: string;
}

/** The scenarios of a rank. */
export interface ScenarioProgress {
  readonly done: number;
  readonly of: number;
}

type EventOf<T extends ToldEvent["type"]> = Extract<ToldEvent, { readonly type: T }>;

/** A run so far: what all its events have told. Views are made from it and from nothing else. */
export class RunState {
  phase: Phase = "starting";
  ranks = 1;
  backend = "";
  solver = "";
  /** The largest number of iterations; `null` if there is none. */
  iterationLimit: number | null = null;
  /** How many scenarios are planned; `null` if there is no simulation. */
  scenarios: number | null = null;
  stages = 0;
  forwardPasses = 0;
  /** The last iteration of the policy that was resumed, or 0. */
  afterIteration = 0;
  /** How many cuts there were before the first iteration of this run. */
  startingCuts = 0;
  isEstimate = false;
  /** The run waits at the end of an iteration. */
  isHeld = false;
  readonly iterations: IterationState[] = [];
  readonly log: LogEntry[] = [];
  /** The processes of the ranks. */
  readonly pids = new Map<number, number>();
  /** By rank. */
  readonly scenariosOf = new Map<number, ScenarioProgress>();
  /** The costs of the scenarios so far, in the order in which they were told. */
  costs: number[] = [];
  /** Whether the scenarios are all paths of a tree. */
  isCensus = false;
  /** The result of the simulation. */
  simulated: EventOf<"simulation_result"> | undefined;
  trained: EventOf<"training_result"> | undefined;
  /** A file with the cuts so far, and the iteration it was written after. */
  policy: { readonly path: string | undefined; readonly iteration: number } | undefined;
  /** Times of ranks that came before the iteration of rank 0. */
  private readonly early = new Map<number, Map<number, RankTimes>>();
  private isWaitingMeasured = false;

  take(event: ToldEvent): void {
    switch (event.type) {
      case "run_started":
        this.iterationLimit = event.iterationLimit;
        this.scenarios = event.scenarios;
        break;
      case "rank_started":
        this.pids.set(event.rank ?? 0, event.pid);
        this.backend = event.backend;
        this.ranks = Math.max(this.ranks, this.pids.size);
        break;
      case "training_started":
        this.trainingStarted(event);
        break;
      case "iteration_done":
        this.iterationDone(event);
        break;
      case "rank_iteration":
        this.rankTimes(event.iteration, event.rank ?? 0, this.timesOf(event));
        break;
      case "ranks_measured": {
        const iteration = this.iterationOf(event.iteration);
        if (iteration === undefined) break;
        iteration.busy = event.busy;
        iteration.retried = event.retriedSolves;
        if (event.retriedSolves > 0)
          this.note(
            `iteration ${event.iteration}: ${counted(event.retriedSolves, "program")} solved again with other settings`,
            "warning",
          );
        break;
      }
      case "held":
        this.isHeld = true;
        this.policy = { path: event.policy, iteration: event.iteration };
        this.note(`held at the end of iteration ${event.iteration}`);
        break;
      case "released":
        this.isHeld = false;
        break;
      case "checkpoint_written":
        this.policy = { path: undefined, iteration: event.iteration };
        this.note(
          `checkpoint written after iteration ${event.iteration}, in ${duration(event.ms)}`,
        );
        break;
      case "simulation_compared":
        this.note(
          `iteration ${event.iteration}: simulated for a stopping rule, in ${duration(event.ms)}`,
        );
        break;
      case "training_result":
        this.trainingResult(event);
        break;
      case "simulation_started":
        this.phase = "simulation";
        this.scenarios = event.scenarios;
        this.isCensus = event.isExact ?? false;
        this.note(`simulation of ${counted(event.scenarios, "scenario")} started`);
        break;
      case "bases_replaced":
        this.note(
          `the programs of ${counted(event.stageIds.length, "stage")} have changed since training: they start from slack bases`,
        );
        break;
      case "scenario_done":
      case "rank_scenario":
        this.scenariosOf.set(event.rank ?? 0, { done: event.done, of: event.of });
        if (Number.isFinite(event.cost)) this.costs.push(event.cost);
        break;
      case "simulation_result":
        this.simulated = event;
        this.costs = [...event.costs];
        this.note(
          `simulation done: ${counted(event.costs.length, "scenario")}, mean ${money(event.mean)}`,
        );
        break;
      case "interrupted":
        this.phase = "interrupted";
        this.note(`interrupted in the ${event.during}; cobre run … --resume continues`, "warning");
        break;
      case "policy_kept":
        this.note(`the policy that was trained is in ${event.path}`, "warning");
        break;
      case "output_not_locked":
        this.note(`${event.path} cannot be locked; see that no other run writes to it`, "warning");
        break;
      case "warning":
        this.note(formatIssue(event.issue), "warning");
        break;
      case "error":
        this.phase = "failed";
        this.note(`rank ${event.rank ?? 0}: ${event.error.message ?? "failed"}`, "error");
        break;
      case "job_done":
        if (event.code !== 0 && this.phase !== "interrupted") this.phase = "failed";
        break;
    }
  }

  /** Notes that no more events will come. `code` is the exit code of the run, if it is known. */
  end(code: number | undefined): void {
    this.isHeld = false;
    if (this.phase === "failed" || this.phase === "interrupted") return;
    const isWhole =
      code === undefined ? this.trained !== undefined || this.simulated !== undefined : code === 0;
    this.phase = isWhole ? "done" : code === 5 ? "interrupted" : "failed";
    if (this.phase === "failed") {
      const how = code === undefined ? "the events end before the run" : `exit code ${code}`;
      this.note(`the run has not been completed: ${how}`, "error");
    }
  }

  note(text: string, level: LogEntry["level"] = "note"): void {
    this.log.push({ level, text });
  }

  get last(): IterationState | undefined {
    return this.iterations.at(-1);
  }

  get isOver(): boolean {
    return this.phase === "done" || this.phase === "failed" || this.phase === "interrupted";
  }

  /** The index of an iteration by its number. */
  indexOf(iteration: number): number {
    return iteration - (this.iterations[0]?.record.iteration ?? 1);
  }

  iterationOf(iteration: number): IterationState | undefined {
    return this.iterations[this.indexOf(iteration)];
  }

  /** Milliseconds until training ends, if the number of iterations is limited. */
  get leftMs(): number | undefined {
    const { last, iterationLimit } = this;
    if (this.phase !== "training" || last === undefined || iterationLimit === null)
      return undefined;
    const recent = this.iterations.slice(-5);
    const each = recent.reduce((sum, { record }) => sum + record.totalMs, 0) / recent.length;
    return each * Math.max(0, iterationLimit - last.record.iteration);
  }

  private trainingStarted(event: EventOf<"training_started">): void {
    this.phase = "training";
    this.stages = event.stages;
    this.forwardPasses = event.forwardPasses;
    this.ranks = event.ranks;
    this.solver = event.solver;
    this.afterIteration = event.afterIteration;
    this.startingCuts = event.cuts;
    this.isEstimate = event.boundCaveats.length > 0;
    const size = `${counted(event.stages, "stage")}, ${counted(event.forwardPasses, "forward pass")}`;
    this.note(`training started: ${size}, ${event.ranks} × ${this.backend || "?"}`);
    if (event.afterIteration > 0) this.note(`resuming after iteration ${event.afterIteration}`);
    if (this.isEstimate)
      this.note("the lower bound is an estimate: some cuts were made for other data", "warning");
  }

  private iterationDone(event: EventOf<"iteration_done">): void {
    const { record, elapsedMs, solves } = event;
    this.isWaitingMeasured ||= event.waitingMs > 0;
    const ranks = this.early.get(record.iteration) ?? new Map<number, RankTimes>();
    this.early.delete(record.iteration);
    ranks.set(event.rank ?? 0, this.timesOf({ ...event, totalMs: record.totalMs }));
    const stages = workByStage(solves);
    this.iterations.push({ record, elapsedMs, stages, ranks, busy: [], retried: 0 });
  }

  private rankTimes(iteration: number, rank: number, times: RankTimes): void {
    const known = this.iterationOf(iteration)?.ranks ?? this.early.get(iteration) ?? new Map();
    known.set(rank, times);
    if (this.iterationOf(iteration) === undefined) this.early.set(iteration, known);
  }

  private timesOf(told: {
    readonly totalMs: number;
    readonly solvingMs: number;
    readonly waitingMs: number;
    readonly movingMs: number;
  }): RankTimes {
    const { totalMs, solvingMs, waitingMs, movingMs } = told;
    this.isWaitingMeasured ||= waitingMs > 0;
    return {
      totalMs,
      solvingMs,
      collectiveMs: waitingMs + movingMs,
      waitingMs: this.isWaitingMeasured ? waitingMs : Number.NaN,
    };
  }

  private trainingResult(event: EventOf<"training_result">): void {
    this.trained = event;
    this.policy = { path: undefined, iteration: event.iterations };
    const how = `${event.termination} after ${counted(event.iterations, "iteration")}`;
    this.note(`training ended: ${how}, lower bound ${money(event.lowerBound, 6)}`);
  }
}
