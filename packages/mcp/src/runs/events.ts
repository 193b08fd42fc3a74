import { open } from "node:fs/promises";

/** How far a run is, as its events tell. */
export interface RunProgress {
  readonly phase: "starting" | "training" | "simulation" | "done";
  readonly iteration: number;
  /** `null` if no rule limits the number of iterations. */
  readonly iterationLimit: number | null;
  readonly lowerBound: number | null;
  readonly forwardMean: number | null;
  /** The iteration of the last checkpoint. */
  readonly checkpoint: number | null;
  readonly scenariosDone: number;
  readonly scenarios: number | null;
  /** What went wrong, in the words of the run. */
  readonly error: string | null;
}

const NOTHING: RunProgress = {
  phase: "starting",
  iteration: 0,
  iterationLimit: null,
  lowerBound: null,
  forwardMean: null,
  checkpoint: null,
  scenariosDone: 0,
  scenarios: null,
  error: null,
};

/** A block that is read at once. */
const BLOCK = 1024 * 1024;

/** Reads the event file of a run as it grows. Each call takes up where the last one ended. */
export class EventTail {
  progress: RunProgress = NOTHING;
  private readonly path: string;
  private offset: number;
  private rest: Buffer = Buffer.alloc(0);

  constructor(path: string, from: number) {
    this.path = path;
    this.offset = from;
  }

  /** Reads what was added. */
  async read(): Promise<RunProgress> {
    const file = await open(this.path, "r").catch(() => undefined);
    if (file === undefined) return this.progress; // it has told nothing yet
    try {
      const block = Buffer.alloc(BLOCK);
      for (;;) {
        const { bytesRead } = await file.read(block, 0, BLOCK, this.offset);
        if (bytesRead === 0) return this.progress;
        this.offset += bytesRead;
        this.take(Buffer.concat([this.rest, block.subarray(0, bytesRead)]));
      }
    } finally {
      await file.close();
    }
  }

  private take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(0x0a);
    this.rest = bytes.subarray(end + 1);
    const lines = bytes
      .subarray(0, end + 1)
      .toString("utf8")
      .split("\n");
    for (const line of lines) if (line !== "") this.progress = after(this.progress, line);
  }
}

function after(progress: RunProgress, line: string): RunProgress {
  let event: Record<string, unknown>;
  try {
    event = JSON.parse(line);
  } catch {
    return progress;
  }
  const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
  switch (event.type) {
    case "run_started":
      return {
        ...progress,
        iterationLimit: number(event.iterationLimit),
        scenarios: number(event.scenarios),
      };
    case "training_started": {
      const iteration = number(event.afterIteration) ?? 0;
      const checkpoint = iteration > 0 ? iteration : progress.checkpoint;
      return { ...progress, phase: "training", iteration, checkpoint };
    }
    case "iteration_done": {
      const record = (event.record ?? {}) as Record<string, unknown>;
      return {
        ...progress,
        phase: "training",
        iteration: number(record.iteration) ?? progress.iteration,
        lowerBound: number(record.lowerBound),
        forwardMean: number(record.upperBoundMean),
      };
    }
    case "checkpoint_written":
      return { ...progress, checkpoint: number(event.iteration) };
    case "simulation_started":
      return { ...progress, phase: "simulation", scenarios: number(event.scenarios) };
    case "scenario_done":
      return event.rank === 0
        ? { ...progress, scenariosDone: number(event.done) ?? progress.scenariosDone }
        : progress;
    case "simulation_result":
      return { ...progress, phase: "done", scenariosDone: progress.scenarios ?? 0 };
    case "error": {
      const { message } = (event.error ?? {}) as { readonly message?: unknown };
      return { ...progress, error: String(message ?? "unknown") };
    }
    default:
      return progress;
  }
}
