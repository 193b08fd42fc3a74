import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventListener } from "../events.js";

/** How long a rank works before it lets handlers of signals and timers run. */
const TURN_MS = 100;

/** Tells how far an iteration is, and lets the event loop turn now and then: an iteration of a large case takes minutes. */
export class Pace {
  private readonly iteration: number;
  private readonly stageIds: readonly number[];
  private readonly tell: EventListener;
  private turnedAt = Date.now();

  constructor(iteration: number, stageIds: readonly number[], tell: EventListener) {
    this.iteration = iteration;
    this.stageIds = stageIds;
    this.tell = tell;
  }

  readonly afterPass = (done: number, of: number): Promise<void> | undefined => {
    this.tell({
      type: "working",
      iteration: this.iteration,
      phase: "forward",
      stageId: null,
      done,
      of,
    });
    return this.turn();
  };

  readonly beforeStage = (stage: number, done: number, of: number): Promise<void> | undefined => {
    const { iteration, stageIds } = this;
    const stageId = stageIds[stage] ?? null;
    this.tell({ type: "working", iteration, phase: "backward", stageId, done, of });
    return this.turn();
  };

  private turn(): Promise<void> | undefined {
    if (Date.now() - this.turnedAt < TURN_MS) return undefined;
    return nextTurn().then(() => {
      this.turnedAt = Date.now();
    });
  }
}
