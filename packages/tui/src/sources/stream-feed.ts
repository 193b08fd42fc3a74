import type { Readable } from "node:stream";
import type { RunState } from "../state/run-state.js";
import { NO_NAMES, type StageCuts } from "../state/stage-cuts.js";
import type { Feed, FeedListener } from "./feed.js";
import { EventLines } from "./lines.js";
import { Playback } from "./playback.js";
import { cutsFromFile } from "./policy-file.js";

/** Events that another program writes: a file, or a run in a pipe. The run is not ours, so a pause holds only what is shown. */
export class StreamFeed implements Feed {
  readonly title = undefined;
  readonly pauses = "display";
  readonly solvesOf = "rank 0";
  readonly isLocal = false;
  private readonly stream: Readable;
  private playback: Playback | undefined;

  constructor(stream: Readable) {
    this.stream = stream;
  }

  start(listener: FeedListener): void {
    const lines = new EventLines();
    const playback = new Playback(listener);
    this.playback = playback;
    let isEnded = false;
    const end = (): void => {
      if (isEnded) return;
      isEnded = true;
      playback.push(lines.finish());
      playback.finish(undefined);
    };
    this.stream.on("data", (bytes: Buffer) => playback.push(lines.take(bytes)));
    this.stream.once("end", end).once("error", end).once("close", end);
  }

  pause(): undefined {
    this.playback?.pause();
  }

  go(): void {
    this.playback?.go();
  }

  step(): undefined {
    this.playback?.step();
  }

  stop(): undefined {}

  async stageLabels(): Promise<readonly string[]> {
    return [];
  }

  async cuts({ policy }: RunState, stage: number): Promise<StageCuts> {
    if (policy?.path !== undefined) return cutsFromFile(policy.path, stage, NO_NAMES);
    throw new Error(
      "Events do not tell where the cuts are. `cobre run CASE --tui` and `cobre tui OUT` show them.",
    );
  }
}
