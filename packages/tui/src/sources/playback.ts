import type { ToldEvent } from "../state/told-event.js";
import type { FeedListener } from "./feed.js";

/** Events that begin the next iteration, or what comes after the last one. */
const BEGINNINGS: readonly ToldEvent["type"][] = ["forward_done", "training_done"];

/**
 * Gives events on: at once, or an iteration at each tick. While it is paused it keeps them, and a step gives on those of one iteration.
 */
export class Playback {
  private readonly listener: FeedListener;
  private readonly tickMs: number | undefined;
  private readonly waiting: ToldEvent[] = [];
  private isPaused = false;
  private end: { readonly code: number | undefined } | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param tickMs the time between iterations; `undefined` gives on events as they come */
  constructor(listener: FeedListener, tickMs?: number) {
    this.listener = listener;
    this.tickMs = tickMs;
  }

  push(events: readonly ToldEvent[]): void {
    for (const event of events) this.waiting.push(event);
    this.run();
  }

  finish(code: number | undefined): void {
    this.end = { code };
    this.run();
  }

  pause(): void {
    this.isPaused = true;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  go(): void {
    this.isPaused = false;
    this.run();
  }

  step(): void {
    this.pause();
    this.releaseIteration();
  }

  private run(): void {
    if (this.isPaused || this.timer !== undefined) return;
    if (this.tickMs === undefined) {
      this.release(this.waiting.length);
      return;
    }
    this.releaseIteration();
    if (this.waiting.length === 0) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.run();
    }, this.tickMs);
  }

  private releaseIteration(): void {
    let count = 0;
    let hasIteration = false;
    for (const { type } of this.waiting) {
      if (hasIteration && BEGINNINGS.includes(type)) break;
      hasIteration ||= type === "iteration_done";
      count++;
    }
    this.release(count);
  }

  private release(count: number): void {
    if (count > 0) this.listener.events(this.waiting.splice(0, count));
    if (this.waiting.length > 0 || this.end === undefined) return;
    const { code } = this.end;
    this.end = undefined;
    this.listener.ended(code);
  }
}
