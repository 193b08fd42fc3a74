import type { RunState } from "../state/run-state.js";
import type { StageCuts } from "../state/stage-cuts.js";
import type { ToldEvent } from "../state/told-event.js";
import type { Surroundings } from "../views/view.js";

/** Who listens to a feed. */
export interface FeedListener {
  readonly events: (events: readonly ToldEvent[]) => void;
  /** No more events will come. The exit code, if the feed is a run that this process started. */
  readonly ended: (code: number | undefined) => void;
}

/** Where the events of a dashboard come from. */
export interface Feed {
  readonly title: string | undefined;
  readonly pauses: Surroundings["pauses"];
  /** Whose programs `iteration_done` counts. */
  readonly solvesOf: string;
  /** Whether the memory of the ranks can be looked up on this machine. */
  readonly isLocal: boolean;
  start(listener: FeedListener): void;
  /** Returns why it cannot, or nothing. */
  pause(run: RunState): string | undefined;
  go(): void;
  step(run: RunState): string | undefined;
  /** Asks what feeds to stop; asked again, at once. Returns what to tell, or nothing if there is nothing to stop. */
  stop(): string | undefined;
  /** The labels of the stages, if they can be found out. */
  stageLabels(): Promise<readonly string[]>;
  /** @throws an error whose message says why the cuts cannot be shown */
  cuts(run: RunState, stage: number): Promise<StageCuts>;
}
