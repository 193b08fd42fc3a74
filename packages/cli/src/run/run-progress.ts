import type { IterationRecord } from "@cobre/sddp";
import type { StudyEvent } from "@cobre/study";

/** The iterations over which speed is measured. */
const RECENT = 5;

/** Where a run is: what its display shows, from what its events tell. */
export class RunProgress {
  phase: "starting" | "training" | "simulation" = "starting";
  ranks = 1;
  /** The largest number of iterations, if there is one. */
  limit: number | undefined;
  /** The iteration before the first one of this run. */
  first = 0;
  /** The iteration that is at work. */
  iteration = 0;
  readonly records: IterationRecord[] = [];
  elapsedMs = 0;
  /** Where the iteration is. */
  working: Extract<StudyEvent, { readonly type: "working" }> | undefined;
  /** Of the last iteration, by rank. */
  busy: readonly number[] = [];
  /** Programs that took more than one attempt, so far. */
  retriedSolves = 0;
  /** Of the last iteration, on this rank. */
  simplexIterationsEach: number | undefined;
  /** The scenarios of this rank. */
  scenarios = { done: 0, of: 0 };
  private phaseBeganAt = Date.now();

  readonly onEvent = (event: StudyEvent): void => {
    switch (event.type) {
      case "run_started":
        this.limit = event.iterationLimit ?? undefined;
        break;
      case "training_started":
        this.begin("training");
        this.ranks = event.ranks;
        this.first = event.afterIteration;
        this.iteration = event.afterIteration + 1;
        break;
      case "working":
        this.iteration = event.iteration;
        this.working = event;
        break;
      case "iteration_done": {
        const solves = event.solves.reduce((sum, stage) => sum + stage.solves, 0);
        this.records.push(event.record);
        this.elapsedMs = event.elapsedMs;
        this.simplexIterationsEach = solves > 0 ? event.simplexIterations / solves : undefined;
        break;
      }
      case "ranks_measured":
        this.busy = event.busy;
        this.retriedSolves += event.retriedSolves;
        break;
      case "simulation_started":
        this.begin("simulation");
        break;
      case "scenario_done":
        this.scenarios = { done: event.done, of: event.of };
        break;
    }
  };

  /** Linear programs in a second, on all ranks together, over the last iterations. */
  get solvesPerSecond(): number | undefined {
    const recent = this.records.slice(-RECENT);
    const ms = recent.reduce((sum, { totalMs }) => sum + totalMs, 0);
    const solves = recent.reduce((sum, { lpSolves }) => sum + lpSolves, 0);
    return ms > 0 ? (1000 * solves) / ms : undefined;
  }

  /** Milliseconds until the phase ends, as far as that can be known. */
  get leftMs(): number | undefined {
    if (this.phase === "simulation") {
      const { done, of } = this.scenarios;
      return done === 0 ? undefined : ((Date.now() - this.phaseBeganAt) / done) * (of - done);
    }
    const done = this.records.length;
    if (this.limit === undefined || done === 0) return undefined;
    return (this.elapsedMs / done) * (this.limit - this.first - done);
  }

  private begin(phase: "training" | "simulation"): void {
    this.phase = phase;
    this.phaseBeganAt = Date.now();
  }
}
