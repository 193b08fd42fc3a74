import type { Readable } from "node:stream";
import { isatty } from "node:tty";
import type { OutputMode } from "../options.js";
import { Outlet } from "./outlet.js";
import { RankPipe } from "./rank-pipe.js";
import { capturing, prefixing, type Receiver, type StreamName, sinking } from "./receivers.js";

const DESCRIPTOR = { stdout: 1, stderr: 2 } as const;

/** Handles the output of all ranks and the launcher's own messages. */
export class JobOutput {
  readonly #mode: OutputMode;
  readonly #inherited: Record<StreamName, boolean>;
  readonly #onNotice: ((message: string) => void) | undefined;
  readonly #onBroken: (error: Error) => void;
  readonly #outlets: { stdout?: Outlet; stderr?: Outlet } = {};
  readonly #captured = new Map<string, Buffer[]>();
  readonly #pipes: RankPipe[] = [];
  readonly #abandoned: Promise<void>;
  #abandon: () => void = () => {};
  /** Whether output was given up. */
  lost = false;

  /** `onBroken` is called if the launcher's own stdout or stderr can no longer be written. */
  constructor(
    mode: OutputMode | undefined,
    ranks: number,
    onNotice: ((message: string) => void) | undefined,
    onBroken: (error: Error) => void,
  ) {
    this.#mode = mode ?? "prefix";
    const inherits = (stream: StreamName): boolean =>
      mode === "inherit" || (mode === undefined && ranks === 1 && isatty(DESCRIPTOR[stream]));
    this.#inherited = { stdout: inherits("stdout"), stderr: inherits("stderr") };
    this.#onNotice = onNotice;
    this.#onBroken = onBroken;
    this.#abandoned = new Promise((resolve) => {
      this.#abandon = resolve;
    });
  }

  /** What a stream of the ranks is connected to. */
  stdio(stream: StreamName): "inherit" | "pipe" {
    return this.#inherited[stream] ? "inherit" : "pipe";
  }

  /** Reads `source`, a stream of a rank. */
  connect(rank: number, stream: StreamName, source: Readable): RankPipe {
    const pipe = new RankPipe(source, this.#receiver(rank, stream, source));
    this.#pipes.push(pipe);
    return pipe;
  }

  #receiver(rank: number, stream: StreamName, source: Readable): Receiver {
    if (typeof this.#mode === "function") return sinking(this.#mode, rank, stream);
    if (this.#mode === "capture") {
      const chunks: Buffer[] = [];
      this.#captured.set(`${rank} ${stream}`, chunks);
      return capturing(chunks);
    }
    const outlet = this.#outlet(stream);
    outlet.attach(source);
    return prefixing(outlet, rank);
  }

  /** What a rank has written so far, if it is captured. */
  captured(rank: number, stream: StreamName): string {
    return Buffer.concat(this.#captured.get(`${rank} ${stream}`) ?? []).toString("utf8");
  }

  /**
   * Shows the user a message. A caller that takes the output itself gets messages only through
   * `onNotice`.
   */
  notice(message: string): void {
    if (this.#onNotice !== undefined) this.#onNotice(message);
    else if (this.#mode === "prefix" || this.#mode === "inherit") {
      this.#outlet("stderr").write("cobre launch: ", [Buffer.from(message)]);
    }
  }

  /** Settles when everything has been written or given up. */
  async flush(): Promise<void> {
    const outlets = Object.values(this.#outlets);
    await Promise.race([Promise.all(outlets.map((outlet) => outlet.flush())), this.#abandoned]);
    for (const outlet of outlets) outlet.release();
  }

  /** Stops waiting for a reader that does not read. */
  abandon(): void {
    this.lost = true;
    for (const pipe of this.#pipes) pipe.abandon();
    this.#abandon();
  }

  #outlet(stream: StreamName): Outlet {
    this.#outlets[stream] ??= new Outlet(process[stream], this.#onBroken);
    return this.#outlets[stream];
  }
}
