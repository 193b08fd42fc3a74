import { basename, resolve } from "node:path";
import { BOUND_TYPE, ENTITY_TYPE } from "@cobre/io";
import { ifWritten, type Run } from "@cobre/study";
import type { RunState } from "../state/run-state.js";
import { type Names, type StageCuts, type StorageLimits, stageCuts } from "../state/stage-cuts.js";
import type { Feed, FeedListener } from "./feed.js";
import { eventsOfRun } from "./finished-events.js";
import { Playback } from "./playback.js";
import { KeptPolicy } from "./policy-file.js";

/** A replay takes about this long, and an iteration at most that. */
const REPLAY_MS = 6000;
const SLOWEST_TICK_MS = 400;
const FASTEST_TICK_MS = 20;

/** A run that has ended, told again from what it wrote. */
export class FinishedFeed implements Feed {
  readonly title: string;
  readonly pauses = "replay";
  readonly solvesOf = "all ranks";
  readonly isLocal = false;
  private readonly run: Run;
  private readonly policy = new KeptPolicy();
  private playback: Playback | undefined;
  private known: Promise<Names> | undefined;

  constructor(run: Run) {
    this.run = run;
    const { caseName } = (run.training ?? run.simulation)?.metadata ?? {};
    this.title = caseName ?? basename(resolve(run.directory));
  }

  start(listener: FeedListener): void {
    const iterations = this.run.training?.metadata.iterations ?? 0;
    const each = Math.round(REPLAY_MS / Math.max(1, iterations));
    const tickMs = Math.min(SLOWEST_TICK_MS, Math.max(FASTEST_TICK_MS, each));
    const playback = new Playback(listener, tickMs);
    this.playback = playback;
    eventsOfRun(this.run).then(
      (events) => {
        playback.push(events);
        playback.finish(undefined);
      },
      (error) => {
        const message = error instanceof Error ? error.message : String(error);
        listener.events([{ type: "error", rank: 0, error: { message }, code: 4 }]);
        listener.ended(4);
      },
    );
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
    return (await this.names()).stages;
  }

  async cuts(_: RunState, stage: number): Promise<StageCuts> {
    if (!this.run.hasPolicy) throw new Error("This run has no policy of its own, and so no cuts.");
    const policy = await this.policy.read("", () => this.run.policy());
    return stageCuts(policy, stage, await this.names());
  }

  private names(): Promise<Names> {
    this.known ??= namesOf(this.run);
    return this.known;
  }
}

async function namesOf(run: Run): Promise<Names> {
  const stages = (await ifWritten(run.stages())) ?? [];
  const hydros = (await ifWritten(run.entities()))?.hydros ?? [];
  const limits = await storageLimits(run);
  return {
    hydros: new Map(hydros.map(({ id, name }) => [id, name])),
    stages: stages.map(({ id, start }) => (start === undefined ? String(id) : `${id} ${start}`)),
    limits: (hydroId, stage) => limits.get(`${hydroId} ${stages[stage]?.id}`),
  };
}

/** By the ids of plant and stage. */
async function storageLimits(run: Run): Promise<Map<string, StorageLimits>> {
  const columns = (await ifWritten(run.bounds()))?.columns;
  const limits = new Map<string, StorageLimits>();
  columns?.bound_value.forEach((value, row) => {
    if (columns.entity_type_code[row] !== ENTITY_TYPE.hydro) return;
    const key = `${columns.entity_id[row]} ${columns.stage_id[row]}`;
    const { min, max } = limits.get(key) ?? { min: Number.NaN, max: Number.NaN };
    const type = columns.bound_type_code[row];
    if (type === BOUND_TYPE.storage_min) limits.set(key, { min: value, max });
    if (type === BOUND_TYPE.storage_max) limits.set(key, { min, max: value });
  });
  return limits;
}
